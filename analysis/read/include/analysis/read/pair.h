/* Checks that two result files can be compared: they must be different files, both undamaged, and
 * of the same scenario. */
#ifndef ANALYSIS_READ_PAIR_H
#define ANALYSIS_READ_PAIR_H

#include "analysis/read/summary.h"

/* Tries to read the second file in a child process, so that messages about this file contain its
 * name. Returns 0, or an exit code after a message on standard error. */
int pair_probe(const char *second);

/* Returns true if the two paths lead to different files. Otherwise returns false; the sentence in
 * `why` is to be printed after the name of the first file. */
bool pair_allowed(const char *const files[2], struct text *why);

/* Returns true if both files are of the same scenario. Otherwise returns false; the sentence in
 * `why` is to be printed after the name of the first file. */
bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why);

#endif
