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
	double whole; /* the parts of the choices are parts of this time, ps */
	double least; /* choices with a smaller part are left out */
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

/* Returns how much time the two designs spend in a set of stages. */
static double spent(const struct designs *designs, uint64_t stages)
{
	double sum = 0;

	for (int s = 0; s < STAGE_COUNT; s++)
		if (stages & (UINT64_C(1) << s))
			sum += designs->pair[0]->stages.time[s] + designs->pair[1]->stages.time[s];
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
	uint64_t stages = 0, all = 0;
	bool acts = false;

	for (int d = 0; d < 2; d++)
		acts |= choice_row_acts(row, designs->scenarios[d], designs->has_hosts[d], arena);
	if (!acts || is_excluded(designs->comparison, row->when) ||
		is_swept(designs->comparison, choice.key) ||
		strcmp(value, choice_value_in(designs->scenarios[1], choice.key)) != 0)
		return;
	choice.value = arena_string(arena, value);
	for (uint32_t i = number + 1; i < choice_row_count && !choice_rows[i].key; i++) {
		all |= choice_rows[i].stages;
		if (strcmp(choice_rows[i].value, value) == 0)
			stages = choice_rows[i].stages;
		else if (choice.other_count < CHOICE_VALUES_MAX)
			choice.others[choice.other_count++] = choice_rows[i].value;
	}
	choice.part = moved(designs, stages) / designs->whole;
	choice.reach = spent(designs, all) / designs->whole;
	choice.stages = count_of(stages);
	if (choice.part >= designs->least)
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

/* Lists the choices whose part of designs->whole is at least designs->least. */
static struct choices choices_list(struct designs *designs)
{
	struct comparison *comparison = designs->comparison;
	const struct sweep_point *const *pair = designs->pair;
	struct arena scratch = {0};
	struct diag *diag = diag_new();
	struct tree *scenarios[2], *platforms[2];
	struct choices choices = {
		arena_array(&comparison->arena, choice_row_count, sizeof(*choices.at)), 0};
	bool known = pair[0]->stages.known && pair[1]->stages.known && !comparison->pair;

	for (int d = 0; d < 2; d++) {
		scenarios[d] = tree_of("scenario", compare_scenario(pair[d], &scratch), diag);
		platforms[d] = tree_of("platform", compare_platform(pair[d], &scratch), diag);
		known &= scenarios[d] && platforms[d];
		if (!known)
			continue;
		designs->scenarios[d] = tree_root(scenarios[d]);
		designs->has_hosts[d] = tree_get(tree_root(platforms[d]), "hosts") != NULL;
	}
	for (uint32_t i = 0; known && designs->whole > 0 && i < choice_row_count; i++)
		if (choice_rows[i].key)
			add_choice(designs, i, &choices);
	for (int d = 0; d < 2; d++) {
		tree_free(scenarios[d]);
		tree_free(platforms[d]);
	}
	diag_free(diag);
	arena_fini(&scratch);
	return choices;
}

struct choices choices_between(
	struct comparison *comparison, const struct sweep_point *const pair[2])
{
	struct designs designs = {.comparison = comparison, .pair = pair, .least = PART_LEAST};
	struct choices choices;

	for (int s = 0; s < STAGE_COUNT; s++)
		designs.whole += compare_stage(pair, s);
	choices = choices_list(&designs);
	if (choices.count > 0)
		qsort(choices.at, choices.count, sizeof(*choices.at), by_part);
	return choices;
}

/* Compares choices of equal designs for sorting. The choice through whose stages the designs differ
 * more comes first: the differences of these stages cancel each other, and with another value they
 * may not. If the designs differ in none, the choice whose stages take more time comes first. */
static int by_reach(const void *a, const void *b)
{
	const struct design_choice *x = a, *y = b;

	if (x->part != y->part)
		return x->part > y->part ? -1 : 1;
	if (x->reach != y->reach)
		return x->reach > y->reach ? -1 : 1;
	return strcmp(x->key, y->key);
}

/* Returns the choices with which designs are equal that might differ with other values. If
 * --robust tries these values, they are all choices that act. Otherwise, they are those through
 * whose stages the designs differ by a margin that would decide. */
static struct choices choices_equal(
	struct comparison *comparison, const struct sweep_point *const pair[2])
{
	struct designs designs = {.comparison = comparison,
		.pair = pair,
		.least = comparison->options->robust ? 0 : MARGIN_LEAST};
	struct choices choices;

	for (int s = 0; s < STAGE_COUNT; s++)
		designs.whole += pair[0]->stages.time[s];
	choices = choices_list(&designs);
	if (choices.count > 0)
		qsort(choices.at, choices.count, sizeof(*choices.at), by_reach);
	return choices;
}

/* True if some options of the focus share the first place because they are equal, or because their
 * margin is within its interval or within the model's error. */
static bool is_equal(const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];

	return question->outcome == OUTCOME_UNDECIDED && focus->count > 1 && focus->tied > 1 &&
	       !focus->needed && !focus->points[focus->order[0]]->saturated &&
	       !focus->points[focus->order[0]]->native && !focus->margins[focus->order[1]].few;
}

void choices_find(struct comparison *comparison, struct question *question)
{
	const struct sweep_point *pair[2];

	if (question->points->figure == FIGURE_HOST_CPU || question->context_count == 0)
		return;
	question->equal = is_equal(question);
	if (compare_pair(question, pair)) {
		question->choices = choices_between(comparison, pair);
	} else if (question->equal) {
		const struct context *focus = &question->contexts[question->focus];
		if (!comparison->options->robust &&
			focus->margins[focus->order[1]].ratio >= MARGIN_LEAST)
			return;
		for (int i = 0; i < 2; i++)
			pair[i] = focus->points[focus->order[i]];
		question->choices = choices_equal(comparison, pair);
	}
}

/* ---- words ---- */

bool choice_trial_breaks(const struct choice_trial *trial)
{
	if (trial->equal)
		return !trial->why && trial->margin <= -trial->least;
	return !trial->why && !trial->idle && trial->margin < MARGIN_LEAST;
}

bool choice_breaks(const struct design_choice *choice)
{
	bool breaks = false;

	for (uint32_t t = 0; t < choice->trial_count; t++)
		breaks |= choice_trial_breaks(&choice->trials[t]);
	return breaks;
}

/* Returns by how much the rival of a trial is better than the others: "by 7.0 %". */
static const char *ahead_text(const struct choice_trial *trial, struct arena *arena)
{
	double ratio = 1 / (1 + trial->margin) - 1;

	return ratio >= 1 ? arena_printf(arena, "by a factor of %.3g", 1 + ratio)
			  : arena_printf(arena, "by %.1f %%", 100 * ratio);
}

static const char *trial_text(const struct choice_trial *trial, struct arena *arena)
{
	if (trial->why)
		return arena_printf(arena, "%s: could not run", trial->value);
	if (trial->behind)
		return arena_printf(arena, "%s: %s takes %.1f %% longer", trial->value,
			trial->behind, 100 * (1 / (1 + trial->margin) - 1));
	if (trial->same)
		return arena_printf(
			arena, "%s: %s", trial->value, trial->idle ? "no difference" : "tie");
	if (trial->margin <= -(trial->equal ? trial->least : MARGIN_LEAST))
		return arena_printf(arena, "%s: %s wins %s", trial->value, trial->rival,
			ahead_text(trial, arena));
	return arena_printf(arena, "%s: %.1f %%%s", trial->value, fabs(100 * trial->margin),
		!trial->equal && choice_trial_breaks(trial) ? ", undecided" : "");
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
	json_bool_of(json, "equal", trial->equal);
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
