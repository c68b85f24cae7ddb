/* Checks that two result files can be compared: they must be different files, both must be
 * undamaged, and they must be of the same scenario. */
#ifndef ANALYSIS_READ_PAIR_H
#define ANALYSIS_READ_PAIR_H

#include "analysis/read/summary.h"

/* Reads the second file in a child process, so that an error message about this file contains its
 * name. Returns 0 if the file can be read. If not, prints a message on standard error and returns
 * an exit code. */
int pair_probe(const char *second);

/* Returns true if the two paths lead to different files. If they lead to one file, returns false
 * with a sentence in `why`, which the caller prints after the name of the first file. */
bool pair_allowed(const char *const files[2], struct text *why);

/* Returns true if both files are of the same scenario. If they are not, returns false with a
 * sentence in `why`, which the caller prints after the name of the first file. */
bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why);

#endif
