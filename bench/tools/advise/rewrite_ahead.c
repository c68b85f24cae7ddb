/* The rewrite `submit ahead` (advise.h). The host submits an iteration before the previous one is
 * complete. But it first waits for the iteration before the previous one, so at most two iterations
 * are in flight. */
#include <string.h>

#include "advise.h"

static const char *const reading[] = {"read_buffer", "read_tensor"};

static const char event[] = "advise_ahead";

/* Returns the kind of a step that reads and that the host waits for, or NULL. */
static const char *ahead_read_of(const struct tree_node *step)
{
	for (size_t k = 0; k < sizeof reading / sizeof *reading; k++) {
		const struct tree_node *keys = node_keys(step, reading[k]);

		if (keys && strcmp(node_get(keys, "blocking", "false"), "true") == 0)
			return reading[k];
	}
	return NULL;
}

/* Returns a copy of a reading step for which the host does not wait. */
static const struct tree_node *released(
	struct rewriting *rewriting, const struct tree_node *step, const char *kind)
{
	const struct tree_node *keys = node_with(rewriting->arena, tree_get(step, kind), "blocking",
		node_text(rewriting->arena, "false"));

	return node_with(rewriting->arena, step, kind, keys);
}

/* Returns true if base.c has added this step at the end of a loop. The step records an event, and
 * the step after it waits for this event. The rewrite exchanges the two steps: the host first waits
 * for the event of the previous iteration, and then records the next event. */
static bool is_own_end(const struct tree_node *steps, uint32_t at)
{
	return at + 1 < steps->count &&
	       strcmp(node_get(node_keys(steps->items[at], "record_event"), "event", ""),
		       "advise_end") == 0;
}

/* Appends the steps. A run of a model is submitted before the one before it is complete. Returns
 * false if this is so already. */
static bool ahead_of_models(struct rewriting *rewriting, const struct tree_node *steps)
{
	bool changed = false;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];
		const struct tree_node *keys = node_keys(step, "run_model");

		if (keys && strcmp(node_get(keys, "blocking", "true"), "true") == 0) {
			step = advise_model_with(rewriting->arena, step, "blocking", "false");
			if (node_number(tree_get(keys, "window"), 1) == 1)
				step = advise_model_with(rewriting->arena, step, "window", "2");
			changed = true;
		}
		node_list_add(rewriting->after, step);
	}
	if (!changed)
		text_append(rewriting->why, "runs of the model are in flight together already");
	return changed;
}

static bool ahead_body(struct rewriting *rewriting, const struct tree_node *steps)
{
	struct arena *arena = rewriting->arena;
	bool changed = false, own = false;

	if (advise_runs_model(steps))
		return ahead_of_models(rewriting, steps);
	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];
		const char *kind = ahead_read_of(step);

		if (is_own_end(steps, i)) {
			node_list_add(rewriting->after, steps->items[i + 1]);
			node_list_add(rewriting->after, step);
			own = true;
			i++;
			continue;
		}
		if (tree_get(step, "mesh")) {
			text_append(rewriting->why, "the steps of a loop have several meshes");
			return false;
		}
		changed |= kind != NULL;
		node_list_add(rewriting->after, kind ? released(rewriting, step, kind) : step);
	}
	if (own)
		node_list_add(rewriting->before,
			node_read(arena, "{record_event: {event: advise_end, to_host: true}}"));
	else if (changed) {
		const char *record =
			arena_printf(arena, "{record_event: {event: %s, to_host: true}}", event);

		node_list_add(rewriting->before, node_read(arena, record));
		node_list_add(rewriting->after,
			node_read(arena, arena_printf(arena,
						 "{wait_event: {event: %s, host: true}}", event)));
		node_list_add(rewriting->after, node_read(arena, record));
	} else {
		text_append(
			rewriting->why, "the host waits for no output at the end of an iteration");
	}
	return own || changed;
}

static struct tree *rewrite_ahead_apply(const struct tree *tree, struct text *why)
{
	return advise_rewrite_loops(tree, ahead_body, why);
}

const struct advise_rewrite advise_rewrite_ahead = {
	.name = "submit ahead",
	.words = "the next iteration is submitted before the last one is complete",
	.needs = "no iteration needs the output of the one before on the host",
	.apply = rewrite_ahead_apply,
};
