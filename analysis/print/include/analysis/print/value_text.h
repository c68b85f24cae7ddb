/* Ratios in sentences. A ratio is the difference of two values, divided by the first of them: 0.5
 * means 50 % more. Most functions print it in percent, and from 100 % on as a factor, because
 * readers misread "+900 %". */
#ifndef ANALYSIS_PRINT_VALUE_TEXT_H
#define ANALYSIS_PRINT_VALUE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Returns a share in percent, for example "41 %". A share below 10 % has one decimal. */
const char *ratio_percent(double part, struct arena *arena);

/* Returns a factor, for example "11.8" or "10,400". It has three digits; from 1000 on, it is a
 * whole number. */
const char *ratio_factor(double factor, struct arena *arena);

/* Returns a ratio as a factor, for example "11.8 times" for a ratio of 10.8. */
const char *ratio_times(double ratio, struct arena *arena);

/* Returns a text for a ratio, for example "41.6 % longer" for 0.416, where `more` is "longer". From
 * 100 % on, the text is a factor, for example "11.8 times as long" for 10.8, where `times` is "as
 * long". */
const char *ratio_more(double ratio, const char *more, const char *times, struct arena *arena);

/* Returns a change with its sign, for example "+0.0059 %" or "-12 %". From 100 % on, the text is a
 * factor, for example "10 times". */
const char *ratio_change(double ratio, struct arena *arena);

/* Returns a text for the range from `low` to `high`: "+1.2 to +4.1 %", or factors such as "0.98 to
 * 3.2 times" if one of the two ratios is 100 % or more. If both ends would be printed with the same
 * digits, the text has only one of them: "11.2 times". */
const char *ratio_range(double low, double high, struct arena *arena);

/* Times in sentences, such as "62.79 us". Times that are compared have as many digits as are needed
 * to distinguish them. */

enum { DIGITS_LEAST = 4, DIGITS_MOST = 9 };

/* Returns a time, which is given in ps, as a text with this many significant digits. The unit is
 * the largest one that is not larger than the time. */
const char *time_text(double ps, int digits, bool with_sign, struct arena *arena);

/* Returns the smallest number of significant digits, at least DIGITS_LEAST and at most DIGITS_MOST,
 * with which different values are printed differently. */
int digits_apart(const double *values, uint32_t count);

#endif
