/* Says how far a comparison can be trusted: constants by kind, and validated errors (best.h). */
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/print/wrap.h"
#include "base/tree.h"

enum { MACHINES_SHOWN = 3, FAMILIES_SHOWN = 2 };

/* Numbers of constants of an effective platform, by kind. */
struct kind_counts {
	uint32_t of[CONSTANT_KINDS];
};

static void trust_count(const struct tree_node *node, struct kind_counts *counts)
{
	const struct tree_node *kind = tree_get(node, "kind");

	if (node->kind == TREE_SEQUENCE)
		for (uint32_t i = 0; i < node->count; i++)
			trust_count(node->items[i], counts);
	if (node->kind != TREE_MAP)
		return;
	if (kind && kind->kind == TREE_SCALAR && tree_get(node, "value")) {
		for (int k = 0; k < CONSTANT_KINDS; k++)
			counts->of[k] +=
				strcmp(kind->text, constant_kind_words((enum constant_kind)k)) == 0;
		return;
	}
	for (uint32_t i = 0; i < node->count; i++)
		trust_count(node->pairs[i].value, counts);
}

static struct kind_counts trust_kinds(const struct sweep_point *point)
{
	struct arena scratch = {0};
	const char *platform = compare_platform(point, &scratch);
	struct kind_counts counts = {{0}};
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("platform", platform, strlen(platform), diag);

	if (tree)
		trust_count(tree_root(tree), &counts);
	tree_free(tree);
	diag_free(diag);
	arena_fini(&scratch);
	return counts;
}

/* True if `point` is the first point with its machine. */
static bool trust_is_new(const struct sweep_points *points, const struct sweep_point *point)
{
	for (const struct sweep_point *before = points->at; before < point; before++)
		if (before->machine && strcmp(before->machine, point->machine) == 0)
			return false;
	return true;
}

/* Lists the families of figures that the margin of the best point depends on, the largest first. */
static uint32_t trust_families(
	struct comparison *comparison, struct model_doubt doubts[MODEL_FAMILIES_MAX])
{
	const struct best *best = best_first(comparison);

	if (!best || !best->next)
		return 0;
	return model_doubts(&comparison->errors,
		&(struct model_design){&best->first->charges, best->first->machine},
		&(struct model_design){&best->next->charges, best->next->machine},
		best->margin.ratio, doubts);
}

/* Writes the errors of the families as one text; "" if there are none. */
static const char *trust_families_text(struct comparison *comparison)
{
	struct model_doubt doubts[MODEL_FAMILIES_MAX];
	uint32_t count = trust_families(comparison, doubts);
	const char *text = "";

	for (uint32_t i = 0; i < count && i < FAMILIES_SHOWN; i++)
		text = arena_printf(&comparison->arena, "%s%s%s", text,
			i ? ", " : "model error (p90) where the best two differ: ",
			trust_error_text(&doubts[i], &comparison->arena));
	return text;
}

static const char *trust_machine_text(
	struct comparison *comparison, const struct sweep_point *point)
{
	struct kind_counts counts = trust_kinds(point);
	uint32_t figures = model_figures(&comparison->errors, point->machine);
	const char *text = arena_printf(&comparison->arena, "constants of %s: ", point->machine);

	for (int k = 0; k < CONSTANT_KINDS; k++)
		if (constant_kind_is_given((enum constant_kind)k))
			text = arena_printf(&comparison->arena, "%s%s%u %s", text, k ? ", " : "",
				counts.of[k], constant_kind_words((enum constant_kind)k));
	if (figures == 0)
		return arena_printf(
			&comparison->arena, "%s; no figure was measured on this machine", text);
	return arena_printf(&comparison->arena, "%s; %u figure%s measured on this machine", text,
		figures, figures == 1 ? " was" : "s were");
}

static bool trust_applies(const struct comparison *comparison)
{
	return comparison->subject_count > 0 && !comparison->pair &&
	       !summary_is_native(&comparison->summary);
}

void trust_print(struct comparison *comparison, FILE *out)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	const char *families;
	uint32_t shown = 0;

	if (!trust_applies(comparison))
		return;
	for (uint32_t i = 0; i < points->count; i++)
		if (points->at[i].machine && trust_is_new(points, &points->at[i]) &&
			shown++ < MACHINES_SHOWN)
			wrap_hang(trust_machine_text(comparison, &points->at[i]), 0, 2,
				comparison->columns, "", out);
	if (shown > MACHINES_SHOWN)
		fprintf(out, "and %u more platforms: compare --json has them\n",
			shown - MACHINES_SHOWN);
	families = trust_families_text(comparison);
	if (families[0])
		wrap_hang(families, 0, 2, comparison->columns, "", out);
}

static void trust_machine_json(
	struct comparison *comparison, const struct sweep_point *point, struct json *json)
{
	struct kind_counts counts = trust_kinds(point);

	json_object(json);
	json_text(json, "platform", point->machine);
	for (int k = 0; k < CONSTANT_KINDS; k++) {
		if (!constant_kind_is_given((enum constant_kind)k))
			continue;
		json_key(json, constant_kind_words((enum constant_kind)k));
		json_integer(json, counts.of[k]);
	}
	json_integer_of(json, "figures", model_figures(&comparison->errors, point->machine));
	json_text(json, "words", trust_machine_text(comparison, point));
	json_object_end(json);
}

void trust_json(struct comparison *comparison, struct json *json)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	bool applies = trust_applies(comparison);

	json_key(json, "trust");
	json_object(json);
	json_array_of(json, "platforms");
	for (uint32_t i = 0; applies && i < points->count; i++)
		if (points->at[i].machine && trust_is_new(points, &points->at[i]))
			trust_machine_json(comparison, &points->at[i], json);
	json_array_end(json);
	json_text(json, "errors", applies ? trust_families_text(comparison) : "");
	json_object_end(json);
}
