/* What two result files must be to be compared: two, whole, and of one scenario. */
#ifndef ANALYSIS_READ_PAIR_H
#define ANALYSIS_READ_PAIR_H

#include "analysis/read/summary.h"

/* Opens the second file in a child, so that what is wrong with it is said of it. 0, or an exit code
 * after a message on standard error. */
int pair_probe(const char *second);

/* True if they are two files; else false with what the first is in `why`. */
bool pair_allowed(const char *const files[2], struct text *why);

/* True if both are of one scenario; else false with what the first is in `why`. */
bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why);

#endif
