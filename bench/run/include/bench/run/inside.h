/* Runs a callback on a scenario's device instead of the scenario's steps. This is for measuring the
 * same calls in both worlds. No results are recorded. */
#ifndef BENCH_RUN_INSIDE_H
#define BENCH_RUN_INSIDE_H

#include "bench/scenario/load.h"
#include "mesh/handle.h"

/* Creates the world of the plan, opens its mesh, and calls use(context, device) on the client's
 * thread. Then shuts everything down, including the executors of other hosts. Call it only once in
 * a process. The process must have only one thread and must not have used a transport, because
 * executors are forked from it. Returns OK, or an error with a sentence in `why`. */
enum status run_inside(const struct run_plan *plan,
	void (*use)(void *context, struct device_handle *device), void *context, struct text *why);

#endif
