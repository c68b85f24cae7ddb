/* Which core a process of a native run stays on. */
#ifndef BENCH_RUN_PROCESSES_CORES_H
#define BENCH_RUN_PROCESSES_CORES_H

#include "base/status.h"
#include "base/text.h"
#include "platform/platform.h"

/* With `cores: own`: binds what this thread starts from now on, and itself, to one of the cores
 * that the process may run on, in turn by the server's number. Else nothing. IO, with a sentence.
 */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

#endif
