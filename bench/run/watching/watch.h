/* `measure.trace`: which operations of a run are watched (watch/watch.h), and the tables of what
 * was seen. Refuses to choose before a run has shown when its operations begin and end. */
#ifndef BENCH_RUN_WATCH_H
#define BENCH_RUN_WATCH_H

#include "base/arena.h"
#include "bench/record/recorder.h"
#include "bench/results/metrics.h"
#include "bench/results/results.h"
#include "bench/scenario/scenario.h"
#include "watch/watch.h"

/* The windows of the operations that the scenario chose, among those of a run, by number; at most
 * TRACE_OPERATIONS_MAX. `left_out`: how many more were meant. In `arena`. */
struct watch_window *watch_choose(const struct trace_keys *keys, const struct op_recorder *recorder,
	const struct step_names *names, uint32_t *count, uint32_t *left_out, struct arena *arena);

/* Adds the tables of what was watched; none if nobody watched. Says on standard error what was
 * lost. */
void watch_record(struct run_record *record, struct arena *arena);

#endif
