/* Makes runs like those of a result file with some keys changed, for `meshsim compare --refine` and
 * `--robust`. A run that cannot be made is reported as not good. */
#ifndef BENCH_TOOLS_RERUN_H
#define BENCH_TOOLS_RERUN_H

#include "analysis/compare.h"

struct rerun {
	const struct compare_rerun_ops
		*rerun_ops; /* for analysis_compare(); NULL if no runs are wanted */
	struct compare_rerun_ops table;
	struct rerun_folder *folder; /* opaque: folder of scenarios and results while they are
					needed */
};

/* Prepares for the runs that `compare` asks for, `jobs` at a time, in a new folder below $TMPDIR.
 * False after a message on standard error. */
bool rerun_start(struct rerun *rerun, const struct compare_options *compare, uint32_t jobs);

/* Removes the folder and its contents. Call it even if rerun_start() failed. */
void rerun_stop(struct rerun *rerun);

#endif
