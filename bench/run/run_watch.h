/* The watcher of a run (bench/watcher/watcher.h): looks at the cores of either world when a run
 * came to no end. */
#ifndef BENCH_RUN_WATCH_CORES_H
#define BENCH_RUN_WATCH_CORES_H

#include "run_world.h"

/* Adds the table of what every core is at to the record; in `arena`. Appends the lines of those
 * with kernels that act to `told`. */
void watch_cores(const struct run_world *row, const struct client *client,
	struct run_record *record, struct arena *arena, struct text *told);

#endif
