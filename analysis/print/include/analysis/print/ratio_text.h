/* Ratios in sentences: shares in percent, and factors from 100 % on, since "+900 %" is read
 * wrongly. A ratio is that of the difference to the first value: 0.5 is half as much again. */
#ifndef ANALYSIS_PRINT_RATIO_TEXT_H
#define ANALYSIS_PRINT_RATIO_TEXT_H

#include "base/arena.h"

/* "41 %"; below 10 % with a decimal. */
const char *ratio_percent(double part, struct arena *arena);

/* "11.8 times", for a ratio of 10.8. */
const char *ratio_times(double ratio, struct arena *arena);

/* "41.6 % longer", or from 100 % on "11.8 times as long": `more` and `times` are the words. */
const char *ratio_more(double ratio, const char *more, const char *times, struct arena *arena);

/* A change with its sign: "+0.0059 %", "-12 %"; from 100 % on "10 times". */
const char *ratio_change(double ratio, struct arena *arena);

/* "+1.2 to +4.1 %", or if one of them is 100 % or more "0.98 to 3.2 times"; "11.2 times" if both
 * look alike. */
const char *ratio_range(double low, double high, struct arena *arena);

#endif
