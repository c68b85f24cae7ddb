/* The watcher of a run (bench/watcher/watcher.h): inspects the cores, in either world, of a run
 * that did not finish. */
#ifndef BENCH_RUN_WATCH_CORES_H
#define BENCH_RUN_WATCH_CORES_H

#include "run_world.h"

/* Adds the table with the state of every core to the record, in `arena`. Appends lines for cores
 * with running kernels to `told`. */
void watch_cores(const struct run_world *row, const struct client *client,
	struct run_record *record, struct arena *arena, struct text *told);

#endif
