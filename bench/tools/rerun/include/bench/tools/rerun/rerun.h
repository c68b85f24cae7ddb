/* Repeats runs with some keys changed, for `meshsim compare --refine` and `--robust`, and for
 * `advise`. If a run cannot be made, its `good` is false and its `why` has the reason. */
#ifndef BENCH_TOOLS_RERUN_H
#define BENCH_TOOLS_RERUN_H

#include "analysis/compare.h"

struct rerun {
	const struct compare_rerun_ops
		*rerun_ops; /* for analysis_compare(); NULL if no runs are needed */
	struct compare_rerun_ops table;
	struct rerun_folder *folder; /* opaque: the temporary folder of scenarios and results */
};

/* Prepares the runs that `compare` requests, in a new folder below $TMPDIR. At most `jobs` runs are
 * made at a time. If the options of `compare` need no runs, creates no folder and sets
 * rerun->rerun_ops to NULL. Returns false after a message on standard error. */
bool rerun_start(struct rerun *rerun, const struct compare_options *compare, uint32_t jobs);

/* Like rerun_start(), but always creates the folder. Result files name `command_line` as the
 * command that made them; it must stay valid until rerun_stop(). */
bool rerun_open(struct rerun *rerun, const char *command_line, uint32_t jobs);

/* Removes the folder and its contents. Call it even if rerun_start() failed. */
void rerun_stop(struct rerun *rerun);

#endif
