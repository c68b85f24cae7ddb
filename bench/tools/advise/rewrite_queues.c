/* The rewrite `two queues` (advise.h). Inputs are written through a second command queue, and
 * events order the two queues. The programs of an iteration wait for its input. The input of the
 * next iteration is written only when the first launch, loop or trace after the writes is done,
 * because this step is assumed to read the input. */
#include <string.h>

#include "advise.h"

static const char *const writing[] = {"write_buffer", "write_tensor"};

/* Returns the kind of a step that writes and that is on the first queue, or NULL. */
static const char *queues_write_of(const struct tree_node *step)
{
	for (size_t k = 0; k < sizeof writing / sizeof *writing; k++) {
		const struct tree_node *keys = node_keys(step, writing[k]);

		if (keys && strcmp(node_get(keys, "queue", "0"), "0") == 0)
			return writing[k];
	}
	return NULL;
}

static bool is_launch(const struct tree_node *step)
{
	return node_is(step, "enqueue_workload") || node_body(step) || node_is(step, "trace");
}

static void add_event(struct rewriting *rewriting, struct node_list *list, const char *yaml)
{
	node_list_add(list, node_read(rewriting->arena, yaml));
}

/* Returns a copy of a writing step on the second queue. */
static const struct tree_node *moved(
	struct rewriting *rewriting, const struct tree_node *step, const char *kind)
{
	const struct tree_node *keys = node_with(
		rewriting->arena, tree_get(step, kind), "queue", node_text(rewriting->arena, "1"));

	return node_with(rewriting->arena, step, kind, keys);
}

/* Appends the steps. Models move their inputs and outputs through the second queue. */
static bool queues_of_models(struct rewriting *rewriting, const struct tree_node *steps)
{
	bool changed = false;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];
		const struct tree_node *keys = node_keys(step, "run_model");

		if (keys && node_number(tree_get(keys, "queues"), 1) == 1) {
			step = advise_model_with(rewriting->arena, step, "queues", "2");
			changed = true;
		}
		node_list_add(rewriting->after, step);
	}
	return changed;
}

static bool queues_body(struct rewriting *rewriting, const struct tree_node *steps)
{
	bool writes = false, read = false;

	if (advise_runs_model(steps))
		return queues_of_models(rewriting, steps);
	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];
		const char *kind = queues_write_of(step);
		bool last =
			kind && (i + 1 == steps->count || !queues_write_of(steps->items[i + 1]));

		if (tree_get(step, "mesh")) {
			text_append(rewriting->why, "the steps of a loop have several meshes");
			return false;
		}
		if (kind && !writes)
			add_event(rewriting, rewriting->after,
				"{wait_event: {event: advise_used, queue: 1}}");
		writes |= kind != NULL;
		node_list_add(rewriting->after, kind ? moved(rewriting, step, kind) : step);
		if (last) {
			add_event(rewriting, rewriting->after,
				"{record_event: {event: advise_written, queue: 1}}");
			add_event(rewriting, rewriting->after,
				"{wait_event: {event: advise_written, queue: 0}}");
		}
		if (writes && !read && is_launch(step)) {
			add_event(rewriting, rewriting->after,
				"{record_event: {event: advise_used, queue: 0}}");
			read = true;
		}
	}
	if (!writes || !read) {
		text_append(rewriting->why, "no iteration writes an input for its programs");
		return false;
	}
	add_event(rewriting, rewriting->before, "{record_event: {event: advise_used, queue: 0}}");
	return true;
}

static struct tree *rewrite_queues_apply(const struct tree *tree, struct text *why)
{
	const struct tree_node *queues = tree_find(tree_root(tree), "runtime.command_queues");
	struct diag *diag = diag_new();
	struct tree *changed = NULL;

	if (queues && node_number(queues, 1) > 1)
		text_append(why, "there are two command queues already");
	else
		changed = advise_rewrite_loops(tree, queues_body, why);
	if (changed && !tree_set(changed, "runtime.command_queues", "2", "advise", diag)) {
		tree_free(changed);
		changed = NULL;
	}
	diag_free(diag);
	return changed;
}

const struct advise_rewrite advise_rewrite_queues = {
	.name = "two queues",
	.words = "inputs go through a second command queue, ordered by events",
	.needs = "",
	.apply = rewrite_queues_apply,
};
