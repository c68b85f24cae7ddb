/* Times in sentences, such as "62.79 us", with as many digits as are needed to distinguish the
 * compared times. */
#ifndef ANALYSIS_PRINT_TIME_TEXT_H
#define ANALYSIS_PRINT_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { DIGITS_LEAST = 4, DIGITS_MOST = 9 };

/* Prints a time, given in ps, in the largest unit of which it has at least one, with this many
 * significant digits. */
const char *time_text(double ps, int digits, bool with_sign, struct arena *arena);

/* Returns the number of significant digits, DIGITS_LEAST or more, with which all values that differ
 * are printed differently. */
int digits_apart(const double *values, uint32_t count);

#endif
