/* Merges the parts of all runs of a request into its result file. */
#ifndef BENCH_MERGE_H
#define BENCH_MERGE_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/run/part_folder.h"

/* `failed`: status and message of runs that left no part. In a child of its own, since HDF5 crashes
 * at the end of a process in which it could not write. Otherwise than GOOD with a sentence in
 * `why`; then the target is as it was. */
enum exit_code merge_runs(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why);

#endif
