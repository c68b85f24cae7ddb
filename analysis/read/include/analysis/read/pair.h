/* Checks that two result files can be compared: they must be different files, undamaged, and of one
 * scenario. */
#ifndef ANALYSIS_READ_PAIR_H
#define ANALYSIS_READ_PAIR_H

#include "analysis/read/summary.h"

/* Tries to open the second file in a child process, so that messages about this file contain its
 * name. Returns 0, or an exit code after a message on standard error. */
int pair_probe(const char *second);

/* Returns true if the paths are two different files; otherwise false with a sentence about the
 * first in `why`. */
bool pair_allowed(const char *const files[2], struct text *why);

/* Returns true if both are of one scenario; otherwise false with a sentence about the first in
 * `why`. */
bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why);

#endif
