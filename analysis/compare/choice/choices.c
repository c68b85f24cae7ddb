/* Finds the unswept design choices that a margin rests on, to first order (choices.h). */
#include "analysis/compare/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/tree.h"

/* A verdict rests on a choice if the choice acts through at least this part of the margin. */
#define PART_LEAST 0.25

/* ---- the two designs ---- */

struct designs {
	struct comparison *comparison;
	const struct sweep_point *const *pair;
	const struct tree_node *scenarios[2];
	bool has_hosts[2];
	double margin; /* sum of the differences of all stages, ps */
};

static bool is_swept(const struct comparison *comparison, const char *key)
{
	const struct summary *summary = &comparison->summary;

	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (strcmp(swept_key(summary, i), key) == 0)
			return true;
	return false;
}

/* True if a swept key has the value in some run. */
static bool is_swept_over(
	const struct comparison *comparison, const char *key, const char *list, size_t length)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	const struct summary *summary = &comparison->summary;

	for (uint32_t i = 0; i < summary->swept_count; i++)
		for (uint32_t p = 0; strcmp(swept_key(summary, i), key) == 0 && p < points->count;
			p++)
			if (choice_lists(list, length, points->at[p].keys[i]))
				return true;
	return false;
}

/* Returns true if the sweep has a run that would fail if the choice were set for the whole sweep.
 * `when` lists conditions of the choice (lists/choice.def). A condition "KEY#VALUE" says that runs
 * in which KEY has this VALUE reject the choice. */
static bool is_excluded(struct comparison *comparison, const char *when)
{
	size_t length, key;

	for (; (length = strcspn(when, " ")) > 0; when += length + strspn(when + length, " ")) {
		key = strcspn(when, "=!#");
		if (key < length && when[key] == '#' &&
			is_swept_over(comparison, arena_copy(&comparison->arena, when, key),
				when + key + 1, length - key - 1))
			return true;
	}
	return false;
}

/* Returns the last component of a key, for example "path" for a key that ends with ".path". Returns
 * the last two components if the last one is "wait" or is also the last one of another key. */
static const char *short_name(const char *key)
{
	const char *name = strrchr(key, '.') + 1;
	bool alone = true;

	for (uint32_t i = 0; i < choice_row_count; i++)
		alone &= !choice_rows[i].key || choice_rows[i].key == key ||
			 strcmp(strrchr(choice_rows[i].key, '.') + 1, name) != 0;
	if (alone && strcmp(name, "wait") != 0)
		return name;
	for (name -= 2; name > key && name[-1] != '.';)
		name--;
	return name;
}

/* Returns how much the two designs differ in a set of stages: the sum of the absolute differences
 * of these stages. So a stage counts in both cases: if it makes the margin larger, and if it makes
 * the margin smaller. */
static double moved(const struct designs *designs, uint64_t stages)
{
	double sum = 0;

	for (int s = 0; s < STAGE_COUNT; s++)
		if (stages & (UINT64_C(1) << s))
			sum += fabs(compare_stage(designs->pair, s));
	return sum;
}

static uint32_t count_of(uint64_t stages)
{
	uint32_t count = 0;

	for (; stages; stages &= stages - 1)
		count++;
	return count;
}

/* Adds the choice in row `number` of the table if the margin depends on it. A choice is added if
 * it meets four conditions. It has an effect in at least one of the two designs. It has the same
 * value in both designs. It is not swept. It is allowed in all runs of the sweep. */
static void add_choice(const struct designs *designs, uint32_t number, struct choices *choices)
{
	const struct choice_row *row = &choice_rows[number];
	struct arena *arena = &designs->comparison->arena;
	struct design_choice choice = {.key = row->key, .name = short_name(row->key)};
	const char *value = choice_value_in(designs->scenarios[0], choice.key);
	uint64_t stages = 0;
	bool acts = false;

	for (int d = 0; d < 2; d++)
		acts |= choice_row_acts(row, designs->scenarios[d], designs->has_hosts[d], arena);
	if (!acts || is_excluded(designs->comparison, row->when) ||
		is_swept(designs->comparison, choice.key) ||
		strcmp(value, choice_value_in(designs->scenarios[1], choice.key)) != 0)
		return;
	choice.value = arena_string(arena, value);
	for (uint32_t i = number + 1; i < choice_row_count && !choice_rows[i].key; i++) {
		if (strcmp(choice_rows[i].value, value) == 0)
			stages = choice_rows[i].stages;
		else if (choice.other_count < CHOICE_VALUES_MAX)
			choice.others[choice.other_count++] = choice_rows[i].value;
	}
	choice.part = moved(designs, stages) / designs->margin;
	choice.stages = count_of(stages);
	if (choice.part >= PART_LEAST)
		choices->at[choices->count++] = choice;
}

/* Compares choices for sorting. The choice with the larger part of the margin comes first. If the
 * two parts differ by 1 % or less, the choice that has an effect on fewer stages comes first. If
 * these numbers are equal, too, the order is that of the keys. */
static int by_part(const void *a, const void *b)
{
	const struct design_choice *x = a, *y = b;

	if (fabs(x->part - y->part) > 0.005 * (x->part + y->part))
		return x->part > y->part ? -1 : 1;
	if (x->stages != y->stages)
		return x->stages < y->stages ? -1 : 1;
	return strcmp(x->key, y->key);
}

static struct tree *tree_of(const char *name, const char *text, struct diag *diag)
{
	return tree_read_text(name, text, strlen(text), diag);
}

struct choices choices_between(
	struct comparison *comparison, const struct sweep_point *const pair[2])
{
	struct designs designs = {.comparison = comparison, .pair = pair};
	struct arena scratch = {0};
	struct diag *diag = diag_new();
	struct tree *scenarios[2], *platforms[2];
	struct choices choices = {
		arena_array(&comparison->arena, choice_row_count, sizeof(*choices.at)), 0};
	bool known = pair[0]->stages.known && pair[1]->stages.known && !comparison->pair;

	for (int s = 0; s < STAGE_COUNT; s++)
		designs.margin += compare_stage(pair, s);
	for (int d = 0; d < 2; d++) {
		scenarios[d] = tree_of("scenario", compare_scenario(pair[d], &scratch), diag);
		platforms[d] = tree_of("platform", compare_platform(pair[d], &scratch), diag);
		known &= scenarios[d] && platforms[d];
		if (!known)
			continue;
		designs.scenarios[d] = tree_root(scenarios[d]);
		designs.has_hosts[d] = tree_get(tree_root(platforms[d]), "hosts") != NULL;
	}
	for (uint32_t i = 0; known && designs.margin > 0 && i < choice_row_count; i++)
		if (choice_rows[i].key)
			add_choice(&designs, i, &choices);
	for (int d = 0; d < 2; d++) {
		tree_free(scenarios[d]);
		tree_free(platforms[d]);
	}
	diag_free(diag);
	arena_fini(&scratch);
	if (choices.count > 0)
		qsort(choices.at, choices.count, sizeof(*choices.at), by_part);
	return choices;
}

void choices_find(struct comparison *comparison, struct question *question)
{
	const struct sweep_point *pair[2];

	if (question->points->figure != FIGURE_HOST_CPU && compare_pair(question, pair))
		question->choices = choices_between(comparison, pair);
}

/* ---- words ---- */

bool choice_trial_breaks(const struct choice_trial *trial)
{
	return !trial->why && !trial->idle && trial->margin < MARGIN_LEAST;
}

bool choice_breaks(const struct design_choice *choice)
{
	bool breaks = false;

	for (uint32_t t = 0; t < choice->trial_count; t++)
		breaks |= choice_trial_breaks(&choice->trials[t]);
	return breaks;
}

static const char *trial_text(const struct choice_trial *trial, struct arena *arena)
{
	if (trial->why)
		return arena_printf(arena, "%s: could not run", trial->value);
	if (trial->same)
		return arena_printf(
			arena, "%s: %s", trial->value, trial->idle ? "no difference" : "tie");
	if (trial->margin <= -MARGIN_LEAST)
		return arena_printf(arena, "%s: %s wins by %.1f %%", trial->value, trial->rival,
			100 * (1 / (1 + trial->margin) - 1));
	return arena_printf(arena, "%s: %.1f %%%s", trial->value, fabs(100 * trial->margin),
		choice_trial_breaks(trial) ? ", undecided" : "");
}

const char *choice_text(const struct design_choice *choice, bool all, struct arena *arena)
{
	const char *text = arena_printf(arena, "%s: %s", choice->name, choice->value);
	const char *trials = "";

	for (uint32_t i = 0; i < choice->trial_count; i++)
		if (all || choice_trial_breaks(&choice->trials[i]))
			trials = arena_printf(arena, "%s%s%s", trials, trials[0] ? "; " : "",
				trial_text(&choice->trials[i], arena));
	return trials[0] ? arena_printf(arena, "%s (%s)", text, trials) : text;
}

const char *choices_breaking(const struct choices *choices, struct arena *arena)
{
	const char *text = "";

	for (uint32_t i = 0; i < choices->count; i++) {
		const struct design_choice *choice = &choices->at[i];
		if (choice_breaks(choice))
			text = arena_printf(arena, "%s%s%s", text, text[0] ? ", " : "",
				choice_text(choice, false, arena));
	}
	return text;
}

static void trial_json(const struct choice_trial *trial, struct json *json)
{
	json_object(json);
	json_text(json, "value", trial->value);
	json_key(json, "margin");
	if (trial->why)
		json_null(json);
	else
		json_real(json, trial->margin);
	json_text(json, "rival", trial->rival);
	json_bool_of(json, "same", trial->same);
	json_bool_of(json, "idle", trial->idle);
	json_bool_of(json, "breaks", choice_trial_breaks(trial));
	json_text(json, "why", trial->why);
	json_object_end(json);
}

void choices_json(const struct choices *choices, struct json *json)
{
	json_array_of(json, "choices");
	for (uint32_t i = 0; i < choices->count; i++) {
		const struct design_choice *choice = &choices->at[i];
		json_object(json);
		json_text(json, "key", choice->key);
		json_text(json, "value", choice->value);
		json_real_of(json, "part", choice->part);
		json_array_of(json, "others");
		for (uint32_t k = 0; k < choice->other_count; k++)
			json_string(json, choice->others[k]);
		json_array_end(json);
		json_array_of(json, "trials");
		for (uint32_t t = 0; t < choice->trial_count; t++)
			trial_json(&choice->trials[t], json);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}
