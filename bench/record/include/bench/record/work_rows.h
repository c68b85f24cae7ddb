/* How much work the host threads of a run did, as rows of its result: every kind of work, copies
 * between every two kinds of memory, and commands between hosts of the codecs that were used. */
#ifndef BENCH_RECORD_WORK_ROWS_H
#define BENCH_RECORD_WORK_ROWS_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "world/world.h"

/* Makes the rows in the arena; how many there are. */
uint32_t work_rows(
	const struct work_counts *counts, struct arena *arena, const struct work_row **made);

#endif
