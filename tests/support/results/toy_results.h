/* Small result files for tests of analysis. The code that writes real results writes them. */
#ifndef TEST_TOY_RESULTS_H
#define TEST_TOY_RESULTS_H

#include <stdint.h>

#include "bench/results/table.h"

/* Writes a result file of `runs` runs (at most 4) to `path`. The runs are swept over
 * runtime.completion and runtime.forward.initiators. Run 1, if there is one, has stalled. The
 * contents of a run depend only on its number. `folder` is for temporary parts. */
void toy_results_write(const char *path, const char *folder, uint32_t runs);

enum { TOY_HASH = 99, TOY_RUNS_MAX = 64 }; /* TOY_HASH is the scenario's hash in parts */

/* The table of a summary. */
#define TOY_SUMMARY(columns_, rows_, count)                                                        \
	{                                                                                          \
		.name = "summary", .columns = columns_,                                            \
		.column_count = sizeof(columns_) / sizeof((columns_)[0]),                          \
		.row_bytes = sizeof((rows_)[0]), .rows = rows_, .row_count = count                 \
	}

/* Merges written parts into the result file `path` of the scenario `scenario`, and removes the
 * parts. The summary has one row for each part; its first columns are run, status, seed and two
 * swept keys. `swept_keys` has one key in each line. */
void toy_results_merge(const char *path, const char *scenario, const char *swept_keys,
	const struct table *summary, const char *model_errors, char (*names)[256]);

#endif
