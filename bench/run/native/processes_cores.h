/* Which core a process of a native run stays on, the CPU time that it has taken, and what joining
 * took. */
#ifndef BENCH_RUN_PROCESSES_CORES_H
#define BENCH_RUN_PROCESSES_CORES_H

#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "platform/platform.h"
#include "world/channel.h"

/* With `cores: own`: binds what this thread starts from now on, and itself, to one of the cores
 * that the process may run on, in turn by the server's number. Else nothing. IO, with a sentence.
 */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

/* The row of threads of a process, by its CPU time so far, which the totals get, too. */
void processes_cpu(pid_t process, uint16_t host, struct thread_row *row, struct run_totals *totals);

/* What it took `hosts` hosts to join, at least one, by what the controller's hub counted. */
struct opening_row processes_opening(const struct channel_counts *counts, uint32_t hosts);

/* Of a run's channels: processes of another run refuse it. */
uint64_t processes_session(void);

#endif
