/* Shrinks a failing scenario as long as it fails in the same way. */
#ifndef BENCH_TOOLS_FUZZ_SHRINK_H
#define BENCH_TOOLS_FUZZ_SHRINK_H

#include "trial.h"
#include "base/tree.h"

/* Edits that make a scenario smaller by one thing: remove a key or a step, or lower a number. They
 * are numbered in the order of the file. An edited scenario may be invalid; the scenario's checks
 * find that. */

/* The number of possible edits. */
uint32_t edit_count(const struct tree_node *root, const char *const *machines);

/* The scenario after edit `number`, allocated in `arena`. */
const struct tree_node *edit_apply(const struct tree_node *root, const char *const *machines,
	uint32_t number, struct arena *arena);

/* The scenario without `count` steps of its workload from number `from` on. At least one step is
 * left. */
const struct tree_node *edit_cut(
	const struct tree_node *root, uint32_t from, uint32_t count, struct arena *arena);

/* `text` fails with `end` when tried with `options`. Replaces it by a scenario that fails with the
 * same signature but has fewer steps and keys and smaller numbers. `machines`, smaller ones first
 * and NULL at the end, are tried as platform. Returns the number of trials. */
uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text);

#endif
