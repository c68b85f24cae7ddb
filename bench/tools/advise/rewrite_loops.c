/* Code that all rewrites use: changes the loops of a workload one by one (advise.h). */
#include <string.h>

#include "advise.h"

/* Changes one loop. Returns false if it could not be changed. */
static bool rewrite_loop(struct rewriting *rewriting,
	bool (*body)(struct rewriting *rewriting, const struct tree_node *steps),
	const struct tree_node *loop, struct node_list *workload)
{
	struct node_list before = {.arena = rewriting->arena}, after = {.arena = rewriting->arena};
	const struct tree_node *steps;

	rewriting->mesh = node_get(loop, "mesh", NULL);
	rewriting->before = &before;
	rewriting->after = &after;
	if (!body(rewriting, node_body(loop)))
		return false;
	steps = node_list_end(&after);
	if (!steps)
		return false;
	for (uint32_t i = 0; i < before.count; i++) {
		const struct tree_node *step = before.at[i];

		if (rewriting->mesh)
			step = node_with(rewriting->arena, step, "mesh",
				node_text(rewriting->arena, rewriting->mesh));
		node_list_add(workload, step);
	}
	node_list_add(workload, node_with(rewriting->arena, loop, "do", steps));
	return true;
}

struct tree *advise_rewrite_loops(const struct tree *tree,
	bool (*body)(struct rewriting *rewriting, const struct tree_node *steps), struct text *why)
{
	struct location nowhere = {NULL, 0, 0};
	struct tree *copy = tree_copy(tree);
	struct rewriting rewriting = {
		.arena = tree_arena(copy), .root = tree_root(copy), .why = why};
	const struct tree_node *steps = tree_get(rewriting.root, "workload");
	struct node_list workload = {.arena = rewriting.arena};
	struct diag *diag = diag_new();
	bool changed = false;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];

		if (node_body(step) && rewrite_loop(&rewriting, body, step, &workload))
			changed = true;
		else
			node_list_add(&workload, step);
	}
	steps = node_list_end(&workload);
	changed = changed && steps && tree_put(copy, "workload", nowhere, steps, diag);
	diag_free(diag);
	if (changed) {
		text_clear(why);
		return copy;
	}
	tree_free(copy);
	return NULL;
}
