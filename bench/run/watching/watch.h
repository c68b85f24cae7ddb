/* `measure.trace`: chooses the operations of a run to watch (watch/watch.h), and makes tables of
 * the recording. Choosing needs an earlier run that shows when operations begin and end. */
#ifndef BENCH_RUN_WATCH_H
#define BENCH_RUN_WATCH_H

#include "base/arena.h"
#include "bench/record/recorder.h"
#include "bench/results/metrics.h"
#include "bench/results/results.h"
#include "bench/scenario/scenario.h"
#include "watch/watch.h"

/* The windows of the operations of a run that the scenario chose, sorted by number; at most
 * TRACE_OPERATIONS_MAX, *left_out is the number of those dropped. In `arena`. */
struct watch_window *watch_choose(const struct trace_keys *keys, const struct op_recorder *recorder,
	const struct step_names *names, uint32_t *count, uint32_t *left_out, struct arena *arena);

/* Adds the tables of the recording; none if nothing was watched. Prints on standard error what was
 * lost. */
void watch_record(struct run_record *record, struct arena *arena);

#endif
