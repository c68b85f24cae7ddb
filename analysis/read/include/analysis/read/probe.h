/* A child process reads everything first; if it succeeds, the parent reads it again, or has the
 * answer already. So a file whose tables contradict each other leaves no half of an answer, and
 * nothing that it may make a reader do happens in the parent. Time is not limited: what is read is
 * bounded by counts (h5/reader.h), and a large file may take long on a slow machine. */
#ifndef ANALYSIS_READ_PROBE_H
#define ANALYSIS_READ_PROBE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

enum { EXIT_GOOD = 0, EXIT_REFUSED = 1, EXIT_BAD_INPUT = 2, EXIT_BUG = 70 };

/* Calls `read` in a child. 0, or, after a message about `file` on standard error, an exit code: 2
 * if it said no with a sentence in `why`, crashed, or was ended by somebody else, which is said
 * apart from damage. */
int probe_file(const char *file, bool (*read)(void *context, struct text *why), void *context);

/* The same of somebody who prints as he reads, so that nobody need read again: what he printed
 * comes out in one, if it is all. */
int probe_answer(const char *file, bool (*answer)(void *context, FILE *out, struct text *why),
	void *context, FILE *out);

#endif
