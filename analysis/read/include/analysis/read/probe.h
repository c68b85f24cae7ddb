/* HDF5 1.10 crashes on some damaged files and loops for ever on others. What is going to be read is
 * read by a child process first, with bounded time; whoever passes reads it again in peace. */
#ifndef ANALYSIS_READ_PROBE_H
#define ANALYSIS_READ_PROBE_H

#include <stdbool.h>

#include "base/text.h"

enum { EXIT_GOOD = 0, EXIT_REFUSED = 1, EXIT_BAD_INPUT = 2, EXIT_BUG = 70 };

/* Calls `read` in a child. 0, or, after a message about `file` on standard error, an exit code: 2
 * if it said no with a sentence in `why`, crashed, or took too long. */
int guard_read(const char *file, bool (*read)(void *context, struct text *why), void *context);

#endif
