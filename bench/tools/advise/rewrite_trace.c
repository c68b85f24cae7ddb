/* The rewrite `trace` (advise.h). Launches that follow each other are captured once, and then
 * replayed. The application then does nothing between these launches, so the time that it spent
 * there is left out. */
#include <string.h>

#include "advise.h"

/* Returns true if a step can be part of a trace. A launch can be, unless it is blocking. A pause of
 * the application can be, because the trace leaves it out. A loop can be if all its steps can be.
 */
static bool is_captured(const struct tree_node *step)
{
	const struct tree_node *body = node_body(step);
	bool all = body != NULL;

	if (node_is(step, "think"))
		return true;
	if (node_is(step, "enqueue_workload"))
		return strcmp(node_get(node_keys(step, "enqueue_workload"), "blocking", "false"),
			       "false") == 0;
	for (uint32_t i = 0; body && i < body->count; i++)
		all &= is_captured(body->items[i]);
	return all;
}

/* Returns the key `mesh` or `queue` of the first launch in a step, or "". */
static const char *key_of(const struct tree_node *step, const char *key)
{
	const struct tree_node *body = node_body(step);
	const char *value = node_get(step, key, "");

	if (!value[0])
		value = node_get(node_keys(step, "enqueue_workload"), key, "");
	for (uint32_t i = 0; body && !value[0] && i < body->count; i++)
		value = key_of(body->items[i], key);
	return value;
}

static bool is_alike(const struct tree_node *a, const struct tree_node *b)
{
	return node_is(b, "think") || (strcmp(key_of(a, "mesh"), key_of(b, "mesh")) == 0 &&
					      strcmp(key_of(a, "queue"), key_of(b, "queue")) == 0);
}

/* Appends the steps, without the pauses of the application. */
static void add_captured(
	struct node_list *list, const struct tree_node *const *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *body = node_body(steps[i]), *inner;
		struct node_list captured = {.arena = list->arena};

		if (node_is(steps[i], "think"))
			continue;
		if (body) {
			add_captured(&captured, body->items, body->count);
			inner = node_list_end(&captured);
			if (inner)
				node_list_add(list, node_with(list->arena, steps[i], "do", inner));
		} else {
			node_list_add(list, steps[i]);
		}
	}
}

/* Appends a trace of `count` steps. */
static void add_trace(struct node_list *list, const struct tree_node *const *steps, uint32_t count)
{
	static const char *const keys[] = {"mesh", "queue"};
	const struct tree_node *trace = node_read(list->arena, "{trace: 1, do: []}"), *inner;
	struct node_list captured = {.arena = list->arena};

	add_captured(&captured, steps, count);
	inner = node_list_end(&captured);
	if (!inner)
		return;
	trace = node_with(list->arena, trace, "do", inner);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const char *value = key_of(steps[0], keys[k]);

		if (value[0])
			trace = node_with(
				list->arena, trace, keys[k], node_text(list->arena, value));
	}
	node_list_add(list, trace);
}

/* Appends the steps of a list, and puts launches into traces. Returns the number of traces. */
static uint32_t trace_list(struct node_list *list, const struct tree_node *steps)
{
	uint32_t traces = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i], *body = node_body(step), *inner;
		struct node_list changed = {.arena = list->arena};
		uint32_t end = i + 1;

		if (is_captured(step) && !node_is(step, "think")) {
			while (end < steps->count && is_captured(steps->items[end]) &&
				is_alike(step, steps->items[end]))
				end++;
			add_trace(list, &steps->items[i], end - i);
			traces++;
			i = end - 1;
		} else if (body) {
			traces += trace_list(&changed, body);
			inner = node_list_end(&changed);
			node_list_add(
				list, inner ? node_with(list->arena, step, "do", inner) : step);
		} else {
			node_list_add(list, step);
		}
	}
	return traces;
}

/* Returns the steps of a list in which models are captured and replayed, and adds their number to
 * *traces. */
static const struct tree_node *trace_models(
	struct arena *arena, const struct tree_node *steps, uint32_t *traces)
{
	struct node_list list = {.arena = arena};

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];

		if (node_keys(step, "run_model")) {
			step = advise_model_with(arena, step, "trace", "true");
			(*traces)++;
		}
		node_list_add(&list, step);
	}
	return node_list_end(&list);
}

static bool has_trace(const struct tree_node *node)
{
	bool found = false;

	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		found |= node_is(node->items[i], "trace") || has_trace(node->items[i]) ||
			 strcmp(node_get(node_keys(node->items[i], "run_model"), "trace", ""),
				 "true") == 0;
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++)
		found |= has_trace(node->pairs[i].value);
	return found;
}

static bool trace_body(struct rewriting *rewriting, const struct tree_node *steps)
{
	uint32_t traces = 0;

	if (has_trace(tree_get(rewriting->root, "workload"))) {
		text_append(rewriting->why, "there are traces already");
		return false;
	}
	steps = trace_models(rewriting->arena, steps, &traces);
	if (steps && traces + trace_list(rewriting->after, steps) > 0)
		return true;
	text_append(rewriting->why, "no launches that a trace could capture");
	return false;
}

static struct tree *rewrite_trace_apply(const struct tree *tree, struct text *why)
{
	return advise_rewrite_loops(tree, trace_body, why);
}

const struct advise_rewrite advise_rewrite_trace = {
	.name = "trace",
	.words = "launches that follow each other are captured once and replayed",
	.needs = "",
	.apply = rewrite_trace_apply,
};
