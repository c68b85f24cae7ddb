/* Runs a callback on a scenario's device instead of its steps, for measuring the same calls in both
 * worlds. Records no results. */
#ifndef BENCH_RUN_INSIDE_H
#define BENCH_RUN_INSIDE_H

#include "bench/scenario/load.h"
#include "mesh/handle.h"

/* Creates the world of the plan, opens its mesh, calls use(context, device) on the client's thread,
 * and shuts everything down, with the executors of other hosts. Call it once per process, which
 * must have only one thread and have used no transport, since executors are forked from it. Returns
 * OK, or an error with a sentence in `why`. */
enum status run_inside(const struct run_plan *plan,
	void (*use)(void *context, struct device_handle *device), void *context, struct text *why);

#endif
