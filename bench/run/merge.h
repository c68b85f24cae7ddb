/* Merges the parts of all runs of a request into its result file. */
#ifndef BENCH_MERGE_H
#define BENCH_MERGE_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/run/part_folder.h"
#include "base/arena.h"
#include "bench/scenario/load.h"

/* The table /summary: a row per run, with columns that depend on the scenario
 * (bench/results/results.h). */

/* Builds the table from `parts`, with a row for each run of the file. Memory comes from `arena`.
 * Sets *shared_columns to the number of columns at the beginning that identify the run: number,
 * status, seed, and swept keys. */
struct table summary_build(const struct scenario_file *file, const struct part_summary *parts,
	struct arena *arena, uint32_t *shared_columns);

/* Merges the parts in a child process, because HDF5 crashes at the exit of a process in which a
 * write has failed. `failed` has the status and the message of each run that has no part. If the
 * result is not EXIT_GOOD, `why` has a sentence, and the result file is unchanged. */
enum exit_code merge_runs(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why);

#endif
