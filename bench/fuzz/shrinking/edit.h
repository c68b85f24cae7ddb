/* Ways to make a scenario smaller by one thing: every key that can go, every step, every number
 * that can be less. They are numbered in the order of the file. Refuses to know whether what is
 * left makes sense: the scenario's checks say that. */
#ifndef BENCH_FUZZ_EDIT_H
#define BENCH_FUZZ_EDIT_H

#include "base/tree.h"

/* How many edits there are. */
uint32_t edit_count(const struct tree_node *root, const char *const *machines);

/* The scenario after edit `number`; in `arena`. */
const struct tree_node *edit_apply(const struct tree_node *root, const char *const *machines,
	uint32_t number, struct arena *arena);

/* The scenario without `count` steps of its workload from `from` on; some are left. */
const struct tree_node *edit_cut(
	const struct tree_node *root, uint32_t from, uint32_t count, struct arena *arena);

#endif
