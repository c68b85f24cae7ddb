/* Finds the subjects, the metric and the objective that the user chose, in the options or in the
 * scenario (comparison.h). */
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/nearest.h"
#include "base/tree.h"

/* Returns the value of a key of `measure` in the scenario of the first run, as text. The items of a
 * list are joined by commas. Returns NULL if the scenario does not have the key. */
static const char *measure_key(
	struct comparison *comparison, struct summary *summary, const char *key)
{
	struct arena *arena = &comparison->arena;
	const char *text = result_document(summary->result,
		arena_printf(arena, "%s/scenario", summary_group(summary, 0)), arena);
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;
	const struct tree_node *node =
		tree ? tree_find(tree_root(tree), arena_printf(arena, "measure.%s", key)) : NULL;
	const char *value = NULL;

	if (node && node->kind == TREE_SCALAR && node->text[0])
		value = arena_string(arena, node->text);
	for (uint32_t i = 0; node && node->kind == TREE_SEQUENCE && i < node->count; i++)
		if (node->items[i]->kind == TREE_SCALAR)
			value = arena_printf(arena, "%s%s%s", value ? value : "", value ? "," : "",
				node->items[i]->text);
	tree_free(tree);
	diag_free(diag);
	return value;
}

/* Reads measure.objective, a list, into `wish`. Normally, its first item is the metric, and the
 * other items are figures that may contradict the metric. If measure.metric is given, or if the
 * first item is p99 or mean, all items are such figures. */
static void take_objective(
	struct comparison *comparison, struct summary *summary, struct sweep_wish *wish)
{
	const char *list = measure_key(comparison, summary, "objective");
	size_t length = list ? strcspn(list, ",") : 0;

	if (!list)
		return;
	wish->objective = list;
	if (wish->metric || strncmp(list, "p99", length) == 0 || strncmp(list, "mean", length) == 0)
		return;
	wish->metric = arena_copy(&comparison->arena, list, length);
	wish->from = "measure.objective";
	wish->objective = list + length + (list[length] == ',');
}

struct sweep_wish compare_wish(struct comparison *comparison, struct summary *summary)
{
	struct sweep_wish wish = {.metric = comparison->options->metric, .from = SWEEP_WISH_OPTION};

	if (wish.metric)
		return wish;
	wish.metric = measure_key(comparison, summary, "metric");
	wish.from = "measure.metric";
	take_objective(comparison, summary, &wish);
	return wish;
}

/* Offers the names of all steps, repeats and traces below a node. */
static void offer_names(const struct tree_node *node, struct nearest *nearest)
{
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		offer_names(node->items[i], nearest);
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		const struct tree_node *value = node->pairs[i].value;

		if (value->kind != TREE_SCALAR)
			offer_names(value, nearest);
		else if (strcmp(node->pairs[i].key, "as") == 0)
			nearest_offer(nearest, value->text);
	}
}

void compare_suggest_step(struct comparison *comparison, struct summary *summary, struct text *why)
{
	const char *text = result_document(summary->result,
		arena_printf(&comparison->arena, "%s/scenario", summary_group(summary, 0)),
		&comparison->arena);
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;
	const struct tree_node *workload = tree ? tree_get(tree_root(tree), "workload") : NULL;
	struct nearest nearest;

	nearest_start(&nearest, comparison->options->step);
	if (workload)
		offer_names(workload, &nearest);
	if (nearest.best && nearest.distance > 0 && !strstr(text_string(why), "did you mean")) {
		text_clear(why);
		text_printf(why, "no step or repeat '%s', did you mean '%s'?",
			comparison->options->step, nearest.best);
	}
	tree_free(tree);
	diag_free(diag);
}

struct sweep_choice compare_choice(
	const struct compare_options *options, const struct sweep_wish *wish)
{
	return (struct sweep_choice){.kind = options->kind,
		.step = options->step,
		.program = options->program,
		.metric = wish->metric != NULL};
}

/* True if a subject is the time of all steps that overlap: a loop, a repeat or the run. */
static bool has_whole(const struct comparison *comparison)
{
	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		const struct sweep_points *points = &comparison->subjects[s].points;

		if (points->iteration || points->run || points->within)
			return true;
	}
	return false;
}

bool compare_is_part(const struct comparison *comparison, const struct sweep_points *points)
{
	return points->unlike || points->parted || (points->within && points->together) ||
	       (!points->of_loop && (points->together || points->mode == MEASURE_FLIGHT) &&
		       has_whole(comparison));
}
