/* Finds the best point of a sweep in each context of conditions (best.h). */
#include "analysis/compare/best.h"

#include <string.h>

#include "analysis/print/wrap.h"

enum { CONTEXTS_SHOWN = 3, CHOICES_SHOWN = 3 };

struct best {
	const struct sweep_point *first, *next; /* `next` is NULL if there is no other point */
	struct margin margin;			/* by how much `next` costs more */
	bool decided;
	const struct constant *rests; /* the guess that moves the margin most, or NULL */
	struct choices choices;	      /* unswept, that the margin rests on */
};

/* True if two points have the same conditions. */
static bool best_same_conditions(
	const struct summary *summary, const struct sweep_point *a, const struct sweep_point *b)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (key_is_condition(swept_key(summary, i)) && strcmp(a->keys[i], b->keys[i]) != 0)
			return false;
	return true;
}

/* The guess that moves the margin most, or NULL. */
static const struct constant *best_rests(struct comparison *comparison,
	const struct sweep_points *points, const struct sweep_point *const pair[2])
{
	const struct question question = {.points = points};
	struct constants guesses = compare_guesses(comparison, &question, pair);

	return guesses.count > 0 ? &guesses.at[0] : NULL;
}

/* Finds the best and the next point with the conditions of `like`. False if no point is good. */
static bool best_find(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *like, struct best *best)
{
	*best = (struct best){0};
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		double value;
		if (!point->good || point->saturated ||
			!best_same_conditions(&comparison->summary, point, like))
			continue;
		value = sweep_point_value(points, point);
		if (!best->first || value < sweep_point_value(points, best->first)) {
			best->next = best->first;
			best->first = point;
		} else if (!best->next || value < sweep_point_value(points, best->next)) {
			best->next = point;
		}
	}
	if (!best->first || !best->next)
		return best->first != NULL;
	const struct sweep_point *pair[2] = {best->first, best->next};
	struct model_doubt doubt;
	best->margin = sweep_margin(points, pair[0], pair[1], FIGURE_METRIC);
	best->decided = question_beats(points, pair, &best->margin, &doubt);
	best->rests = best_rests(comparison, points, pair);
	best->choices = choices_between(comparison, pair);
	return true;
}

/* True if no point before `point` has the same conditions. */
static bool best_is_new(const struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *point)
{
	for (const struct sweep_point *before = points->at; before < point; before++)
		if (best_same_conditions(&comparison->summary, before, point))
			return false;
	return true;
}

static long long best_run(const struct sweep_point *point)
{
	return (long long)dataset_integer(
		&point->summary->dataset, point->summary->run, point->row);
}

/* Swept keys of a point, conditions or choices: "broadcast, initiators 4". Numbers and switches
 * have their names. */
static const char *best_keys(
	struct comparison *comparison, const struct sweep_point *point, bool conditions)
{
	const struct summary *summary = &comparison->summary;
	const char *text = "";

	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *value = point->keys[i];
		double number;
		bool named = conditions || key_number(value, &number) ||
			     strcmp(value, "true") == 0 || strcmp(value, "false") == 0 ||
			     strcmp(value, "on") == 0 || strcmp(value, "off") == 0;
		if (key_is_condition(swept_key(summary, i)) != conditions ||
			strcmp(value, "-") == 0)
			continue;
		text = arena_printf(&comparison->arena, "%s%s%s%s%s", text, text[0] ? ", " : "",
			named ? summary_short_name(summary, i) : "",
			!named	     ? ""
			: conditions ? "="
				     : " ",
			value);
	}
	return text;
}

static const char *best_next_text(const struct best *best, struct arena *arena)
{
	const char *more = compare_percent(best->margin.ratio, arena);

	if (!best->next)
		return "";
	if (best->decided)
		return arena_printf(
			arena, " (next: run %lld, %s slower)", best_run(best->next), more);
	return arena_printf(
		arena, "; cannot be told from run %lld, %s slower", best_run(best->next), more);
}

static const char *best_text(
	struct comparison *comparison, const struct sweep_points *points, const struct best *best)
{
	struct arena *arena = &comparison->arena;
	const struct choices *choices = &best->choices;
	const char *keys = best_keys(comparison, best->first, false);
	const char *text = arena_printf(arena, "run %lld%s%s: %s%s%s", best_run(best->first),
		keys[0] ? ", " : "", keys,
		compare_value_text(points, sweep_point_value(points, best->first), arena),
		strcmp(points->label, SWEEP_ITERATION) == 0 ? " an iteration" : "",
		best_next_text(best, arena));

	if (best->rests || choices->count > 0)
		text = arena_printf(arena, "%s; rests on ", text);
	if (best->rests)
		text = arena_printf(arena, "%s%s (%s)", text, best->rests->path, best->rests->kind);
	if (choices->count > 0)
		text = arena_printf(arena, "%s%s%s: %s; not tried:", text,
			best->rests ? " and " : "", choices->at[0].name, choices->at[0].value);
	for (uint32_t i = 0; i < choices->count && i < CHOICES_SHOWN; i++)
		text = arena_printf(arena, "%s%s %s %s", text, i ? "," : "", choices->at[i].name,
			choices->at[i].other_count > 0 ? choices->at[i].others[0] : "");
	return text;
}

void best_print(struct comparison *comparison, FILE *out)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	uint32_t found = 0;

	for (uint32_t i = 0; !comparison->pair && i < points->count; i++) {
		const char *where = best_keys(comparison, &points->at[i], true);
		struct best best;
		if (!best_is_new(comparison, points, &points->at[i]) ||
			!best_find(comparison, points, &points->at[i], &best))
			continue;
		if (++found > CONTEXTS_SHOWN)
			continue;
		if (found == 1)
			fputc('\n', out);
		wrap_print("best:",
			arena_printf(&comparison->arena, "%s%s%s%s", where[0] ? "at " : "", where,
				where[0] ? ": " : "", best_text(comparison, points, &best)),
			0, 6, comparison->columns, out);
	}
	if (found > CONTEXTS_SHOWN)
		fprintf(out, "      %u more contexts: --json has them\n", found - CONTEXTS_SHOWN);
}

void best_json(struct comparison *comparison, struct json *json)
{
	const struct sweep_points *points = &comparison->subjects[0].points;

	json_array_of(json, "best");
	for (uint32_t i = 0; !comparison->pair && i < points->count; i++) {
		struct best best;
		if (!best_is_new(comparison, points, &points->at[i]) ||
			!best_find(comparison, points, &points->at[i], &best))
			continue;
		json_object(json);
		json_text(json, "context", best_keys(comparison, &points->at[i], true));
		json_key(json, "run");
		json_integer(json, best_run(best.first));
		json_key(json, "value");
		json_real(json, sweep_point_value(points, best.first));
		json_key(json, "next");
		if (best.next)
			json_integer(json, best_run(best.next));
		else
			json_null(json);
		json_key(json, "margin");
		if (best.next)
			json_real(json, best.margin.ratio);
		else
			json_null(json);
		json_key(json, "decided");
		json_bool(json, best.decided);
		json_text(json, "rests_on", best.rests ? best.rests->path : NULL);
		choices_json(&best.choices, json);
		json_text(json, "words", best_text(comparison, points, &best));
		json_object_end(json);
	}
	json_array_end(json);
}
