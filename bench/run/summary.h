/* The table /summary: a row per run, with columns that depend on the scenario
 * (bench/results/results.h). */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include "base/arena.h"
#include "bench/scenario/load.h"
#include "bench/results/results.h"

/* Builds the table from what the parts say; `parts` has a row per run of the file. Rows and columns
 * live in `arena`. Its first *shared_columns columns say which run it is: number, status, seed, and
 * what was swept. */
struct table summary_build(const struct scenario_file *file, const struct part_summary *parts,
	struct arena *arena, uint32_t *shared_columns);

#endif
