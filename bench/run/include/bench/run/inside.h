/* A run whose device somebody else uses, in place of the steps of its scenario: for measurements of
 * the same calls in both worlds. Refuses to record: there is no part. */
#ifndef BENCH_RUN_INSIDE_H
#define BENCH_RUN_INSIDE_H

#include "bench/scenario/load.h"
#include "mesh/handle.h"

/* Makes the world that the plan says, opens its mesh, calls use(context, device) on the client's
 * thread, and ends all of it, the executors of other hosts, too. Once a process, which has one
 * thread and has used no transport; executors are forked from it. OK, or what went wrong, with a
 * sentence in `why`. */
enum status run_inside(const struct run_plan *plan,
	void (*use)(void *context, struct device_handle *device), void *context, struct text *why);

#endif
