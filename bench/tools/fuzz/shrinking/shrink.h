/* Shrinks a failing scenario. The smaller scenario fails in the same way. */
#ifndef BENCH_TOOLS_FUZZ_SHRINK_H
#define BENCH_TOOLS_FUZZ_SHRINK_H

#include "trial.h"
#include "base/tree.h"

/* Edits that make a scenario smaller. An edit removes a key or a step, or lowers a number. Edits
 * are numbered in the order of the file. An edit may make the scenario invalid; a trial of such a
 * scenario ends with an error, and the edit is not kept. */

/* Returns the number of possible edits. */
uint32_t edit_count(const struct tree_node *root, const char *const *machines);

/* Returns the scenario after edit `number`. It is allocated in `arena`. */
const struct tree_node *edit_apply(const struct tree_node *root, const char *const *machines,
	uint32_t number, struct arena *arena);

/* Returns the scenario without `count` steps of its workload, beginning with step `from`. Keeps at
 * least one step. */
const struct tree_node *edit_cut(
	const struct tree_node *root, uint32_t from, uint32_t count, struct arena *arena);

/* Shrinks the scenario `text`, for which a trial with `options` has ended with `end`. Replaces
 * `text` by a scenario that fails with the same signature, but has fewer steps and keys, and
 * smaller numbers. `machines` lists platforms to try, the smallest first, and ends with NULL.
 * Returns the number of trials. */
uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text);

#endif
