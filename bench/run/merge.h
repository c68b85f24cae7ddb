/* Merges the parts of all runs of a request into its result file. */
#ifndef BENCH_MERGE_H
#define BENCH_MERGE_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/run/part_folder.h"

/* Merges in a child process, since HDF5 crashes at the exit of a process in which it could not
 * write. `failed` has status and message of runs that left no part. If the result is not EXIT_GOOD,
 * `why` has a sentence and the target is unchanged. */
enum exit_code merge_runs(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why);

#endif
