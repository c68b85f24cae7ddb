/* Which core a process of a native run stays on, and the CPU time that it has taken. */
#ifndef BENCH_RUN_PROCESSES_CORES_H
#define BENCH_RUN_PROCESSES_CORES_H

#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "platform/platform.h"

/* With `cores: own`: binds what this thread starts from now on, and itself, to one of the cores
 * that the process may run on, in turn by the server's number. Else nothing. IO, with a sentence.
 */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

/* The row of threads of a process, by its CPU time so far, which the totals get, too. */
void processes_cpu(pid_t process, uint16_t host, struct thread_row *row, struct run_totals *totals);

/* Of a run's channels: processes of another run refuse it. */
uint64_t processes_session(void);

#endif
