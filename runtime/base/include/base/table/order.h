/* Sorting, percentiles and medians. A percentile is always one of the values: the smallest value
 * such that at least the given share of all values is not larger (nearest rank). */
#ifndef BASE_TABLE_ORDER_H
#define BASE_TABLE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Sort in ascending order. */
void sort_integers(int64_t *values, size_t count);
void sort_reals(double *values, size_t count);

/* Index of a percentile among `count` sorted values; 500 per mille gives the lower median. */
uint32_t rank_at(uint32_t count, uint32_t per_mille);

/* Median of `count` > 0 sorted values: the mean of the two in the middle. */
double median_of(const double *sorted, uint32_t count);

#endif
