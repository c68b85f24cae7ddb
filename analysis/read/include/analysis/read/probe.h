/* Reads a file in a child process first. If the child succeeds, the parent reads the file again, or
 * prints the child's answer. So a file whose tables contradict each other never leads to half an
 * answer, and a crash during reading ends only the child. There is no time limit, because a large
 * file may take long on a slow machine. Reading always ends, because all loops are bounded by
 * counts (h5/reader.h). */
#ifndef ANALYSIS_READ_PROBE_H
#define ANALYSIS_READ_PROBE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

enum { EXIT_GOOD = 0, EXIT_REFUSED = 1, EXIT_BAD_INPUT = 2, EXIT_BUG = 70 };

/* Calls read(context, why) in a child process. Returns 0 if read() returned true. On failure,
 * prints a message about `file` on standard error, and returns an exit code. The code is
 * EXIT_BAD_INPUT if read() returned false with a sentence in `why`, if it crashed, or if it was
 * killed. The code is EXIT_BUG if the child found a bug of the program. If the child was killed by
 * a signal that another process may have sent, the message says that the file may be undamaged. */
int probe_file(const char *file, bool (*read)(void *context, struct text *why), void *context);

/* Like probe_file(), for a function that also prints an answer. If the child succeeds, the parent
 * copies the answer to `out`, and need not read the file itself. */
int probe_answer(const char *file, bool (*answer)(void *context, FILE *out, struct text *why),
	void *context, FILE *out);

#endif
