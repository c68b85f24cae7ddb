/* HDF5 1.10 crashes on some damaged files and loops forever on others. So a child process reads
 * everything first, within a time limit; if it succeeds, the parent reads it again, or has the
 * answer already. */
#ifndef ANALYSIS_READ_PROBE_H
#define ANALYSIS_READ_PROBE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

enum { EXIT_GOOD = 0, EXIT_REFUSED = 1, EXIT_BAD_INPUT = 2, EXIT_BUG = 70 };

/* Calls `read` in a child. 0, or, after a message about `file` on standard error, an exit code: 2
 * if it said no with a sentence in `why`, crashed, or took too long. */
int probe_file(const char *file, bool (*read)(void *context, struct text *why), void *context);

/* The same of somebody who prints as he reads, so that nobody need read again: what he printed
 * comes out in one, if it is all. */
int probe_answer(const char *file, bool (*answer)(void *context, FILE *out, struct text *why),
	void *context, FILE *out);

#endif
