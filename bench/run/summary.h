/* The table /summary: a row per run, with columns that depend on the scenario
 * (bench/results/results.h). */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include "base/arena.h"
#include "bench/scenario/load.h"
#include "bench/results/results.h"

/* Builds the table from `parts`, with a row per run of the file. Rows and columns live in `arena`.
 * The first *shared_columns columns identify the run: number, status, seed, and swept keys. */
struct table summary_build(const struct scenario_file *file, const struct part_summary *parts,
	struct arena *arena, uint32_t *shared_columns);

#endif
