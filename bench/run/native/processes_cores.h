/* Binding of a native run's processes to cores, their CPU time, and the cost of joining. */
#ifndef BENCH_RUN_PROCESSES_CORES_H
#define BENCH_RUN_PROCESSES_CORES_H

#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "platform/platform.h"
#include "world/channel.h"

/* With `cores: own`, binds this thread, and threads that it starts later, to one of the cores that
 * the process may run on, chosen by the server's number; otherwise does nothing. Returns OK, or IO
 * with a sentence. */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

/* Fills the row of threads of a process with its CPU time so far, and adds that to the totals. */
void processes_cpu(pid_t process, uint16_t host, struct thread_row *row, struct run_totals *totals);

/* Cost of joining for `hosts` hosts, at least one, from the counters of the controller's hub. */
struct opening_row processes_opening(const struct channel_counts *counts, uint32_t hosts);

/* The session number of a run's channels; processes of other runs reject it. */
uint64_t processes_session(void);

#endif
