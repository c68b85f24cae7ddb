/* Sorting, percentiles and medians. A percentile is always one of the values: the smallest value
 * for which at least the given share of all values is equal or smaller (nearest rank). */
#ifndef BASE_TABLE_ORDER_H
#define BASE_TABLE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* These functions sort in ascending order. */
void sort_integers(int64_t *values, size_t count);
void sort_reals(double *values, size_t count);

/* Returns the index of a percentile among `count` sorted values. For 500 per mille, this is the
 * lower median. */
uint32_t rank_at(uint32_t count, uint32_t per_mille);

/* Returns the median of `count` > 0 sorted values. If `count` is even, this is the mean of the two
 * values in the middle. */
double median_of(const double *sorted, uint32_t count);

#endif
