/* Work of a run's host threads as rows of its result: every kind of work, copies between any two
 * kinds of memory, and commands between hosts for each codec that was used. */
#ifndef BENCH_RECORD_WORK_ROWS_H
#define BENCH_RECORD_WORK_ROWS_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "world/world.h"

/* Makes the rows in the arena. Returns their number. */
uint32_t work_rows(
	const struct work_counts *counts, struct arena *arena, const struct work_row **made);

#endif
