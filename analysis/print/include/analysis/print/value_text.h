/* Ratios in sentences. They are printed as shares in percent, and from 100 % on as factors, because
 * readers misread "+900 %". A ratio is the difference divided by the first value: 0.5 means 50 %
 * more. */
#ifndef ANALYSIS_PRINT_VALUE_TEXT_H
#define ANALYSIS_PRINT_VALUE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* "41 %". Below 10 % it has one decimal. */
const char *ratio_percent(double part, struct arena *arena);

/* "11.8" or "10,400": three digits, or whole from 1000 on. */
const char *ratio_factor(double factor, struct arena *arena);

/* "11.8 times", for a ratio of 10.8. */
const char *ratio_times(double ratio, struct arena *arena);

/* "41.6 % longer" for a ratio of 0.416, with "longer" from `more`. From 100 % on "11.8 times as
 * long" for a ratio of 10.8, with "as long" from `times`. */
const char *ratio_more(double ratio, const char *more, const char *times, struct arena *arena);

/* A change with its sign: "+0.0059 %", "-12 %". From 100 % on a factor: "10 times". */
const char *ratio_change(double ratio, struct arena *arena);

/* "+1.2 to +4.1 %". If one of the two is 100 % or more, "0.98 to 3.2 times". If both would be
 * printed alike, "11.2 times". */
const char *ratio_range(double low, double high, struct arena *arena);

/* Times in sentences, such as "62.79 us", with as many digits as are needed to distinguish the
 * compared times. */

enum { DIGITS_LEAST = 4, DIGITS_MOST = 9 };

/* Prints a time, given in ps, in the largest unit of which it has at least one, with this many
 * significant digits. */
const char *time_text(double ps, int digits, bool with_sign, struct arena *arena);

/* Returns the number of significant digits, DIGITS_LEAST or more, with which all values that differ
 * are printed differently. */
int digits_apart(const double *values, uint32_t count);

#endif
