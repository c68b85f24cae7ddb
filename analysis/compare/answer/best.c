/* Finds the best point of a sweep in each context of conditions (best.h). */
#include "analysis/compare/best.h"

#include <string.h>

#include "analysis/print/wrap.h"

/* Contexts that are told with all they rest on, lines of contexts, and choices. */
enum { CONTEXTS_SHOWN = 3, LINES_SHOWN = 12, CHOICES_SHOWN = 3 };

/* True if a design choice is swept. */
static bool best_has_choice(const struct summary *summary)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (!key_is_condition(swept_key(summary, i)))
			return true;
	return false;
}

/* True if the points with one value of a key are not compared with those of another one. Conditions
 * are such keys. But if no design choice is swept, those of the platform are taken for choices. */
static bool best_is_context(const struct summary *summary, uint32_t key)
{
	const char *name = swept_key(summary, key);

	return key_is_condition(name) &&
	       (best_has_choice(summary) || strncmp(name, "platform", strlen("platform")) != 0);
}

/* True if two points are of one context. */
static bool best_same_context(
	const struct summary *summary, const struct sweep_point *a, const struct sweep_point *b)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (best_is_context(summary, i) && strcmp(a->keys[i], b->keys[i]) != 0)
			return false;
	return true;
}

/* The guesses that move the margin, the heaviest first. */
static struct constants best_rests(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *const pair[2])
{
	const struct question question = {.points = points};

	return compare_guesses(comparison, &question, pair);
}

/* Finds the best and the next point in the context of `like`, and their margin. False if no point
 * is good. */
static bool best_pair(const struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *like, struct best *best)
{
	*best = (struct best){0};
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		double value;
		if (!point->good || point->saturated ||
			!best_same_context(&comparison->summary, point, like))
			continue;
		value = sweep_point_value(points, point);
		if (!best->first || value < sweep_point_value(points, best->first)) {
			best->next = best->first;
			best->first = point;
		} else if (!best->next || value < sweep_point_value(points, best->next)) {
			best->next = point;
		}
	}
	if (best->next)
		best->margin = sweep_margin(points, best->first, best->next, FIGURE_METRIC);
	return best->first != NULL;
}

/* Like best_pair(), with all else that is told of the best point. The margin decides at `level`. */
static bool best_find(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *like, double level, struct best *best)
{
	if (!best_pair(comparison, points, like, best) || !best->next)
		return best->first != NULL;
	const struct sweep_point *pair[2] = {best->first, best->next};
	best->margin.level = level;
	best->decided = question_beats(points, pair, &best->margin, &best->doubt);
	best->rests = best_rests(comparison, points, pair);
	best->choices = choices_between(comparison, pair);
	return true;
}

/* True if no point before `point` is of its context. */
static bool best_is_new(const struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *point)
{
	for (const struct sweep_point *before = points->at; before < point; before++)
		if (best_same_context(&comparison->summary, before, point))
			return false;
	return true;
}

/* The level at which the margin of each context decides, so that chance decides none of them. */
static double best_level(struct comparison *comparison, const struct sweep_points *points)
{
	double *chances = arena_array(&comparison->arena, points->count + 1, sizeof *chances);
	uint32_t count = 0;

	for (uint32_t i = 0; i < points->count; i++) {
		struct best best;
		if (best_is_new(comparison, points, &points->at[i]) &&
			best_pair(comparison, points, &points->at[i], &best) && best.next &&
			!best.margin.few)
			chances[count++] = best.margin.chance;
	}
	return margins_level(chances, count);
}

long long best_run(const struct sweep_point *point)
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
		if (best_is_context(summary, i) != conditions || strcmp(value, "-") == 0)
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

/* Two files have no best point over all, nor has a step whose clock differs between runs, nor a
 * sweep in which each context has one point. */
static bool best_may_be(const struct comparison *comparison)
{
	const struct sweep_points *points = &comparison->subjects[0].points;

	for (uint32_t i = 0; !comparison->pair && !points->unlike && i < points->count; i++)
		if (!best_is_new(comparison, points, &points->at[i]))
			return true;
	return false;
}

bool best_first(struct comparison *comparison, struct best *best)
{
	const struct sweep_points *points = &comparison->subjects[0].points;

	double level;

	if (!best_may_be(comparison))
		return false;
	level = best_level(comparison, points);
	for (uint32_t i = 0; i < points->count; i++)
		if (best_is_new(comparison, points, &points->at[i]) &&
			best_find(comparison, points, &points->at[i], level, best))
			return true;
	return false;
}

/* ---- words ---- */

static const char *best_next_text(
	const struct sweep_points *points, const struct best *best, struct arena *arena)
{
	bool cpu = points->figure == FIGURE_HOST_CPU;

	if (!best->next)
		return "";
	return arena_printf(arena, " (next: run %lld, %s%s)", best_run(best->next),
		compare_more(best->margin.ratio, cpu ? "more" : "slower",
			cpu ? "as much" : "as long", arena),
		best->decided ? "" : ", undecided");
}

/* Says that the margin is smaller than the validated error of the model in a family of figures. */
static const char *best_doubt_text(const struct best *best, struct arena *arena)
{
	const struct model_doubt *doubt = &best->doubt;

	if (!best->next || doubt->most <= 0 || best->margin.ratio >= doubt->error ||
		best->margin.ratio < MARGIN_LEAST)
		return "";
	return arena_printf(arena, "below the model's error of %s", trust_error_text(doubt, arena));
}

static const char *best_rests_text(const struct best *best, struct arena *arena)
{
	const struct choices *choices = &best->choices;
	const struct constants *rests = &best->rests;
	const char *count = trust_count_text(rests, arena), *text = "";

	if (rests->count > 0)
		text = arena_printf(arena, "%s%s%s (%s)%s", count,
			count[0] ? ", the heaviest: " : "", rests->at[0].path, rests->at[0].kind,
			count[0] && choices->count > 0 ? "," : "");
	if (choices->count > 0)
		text = arena_printf(arena, "%s%s%s: %s", text, text[0] ? " and " : "",
			choices->at[0].name, choices->at[0].value);
	return text;
}

static const char *best_untried_text(const struct best *best, struct arena *arena)
{
	const struct choices *choices = &best->choices;
	const char *text = "";

	for (uint32_t i = 0; i < choices->count && i < CHOICES_SHOWN; i++)
		if (choices->at[i].other_count > 0)
			text = arena_printf(arena, "%s%s%s %s", text, text[0] ? ", " : "",
				choices->at[i].name, choices->at[i].others[0]);
	return text;
}

struct best_words best_words(
	struct comparison *comparison, const struct sweep_points *points, const struct best *best)
{
	struct arena *arena = &comparison->arena;
	const char *keys = best_keys(comparison, best->first, false);
	const char *doubt = best_doubt_text(best, arena), *rests = best_rests_text(best, arena);

	return (struct best_words){
		arena_printf(arena, "run %lld%s%s: %s%s%s", best_run(best->first),
			keys[0] ? ", " : "", keys,
			compare_value_text(points, sweep_point_value(points, best->first), arena),
			strcmp(points->label, SWEEP_ITERATION) == 0 ? " an iteration" : "",
			best_next_text(points, best, arena)),
		arena_printf(arena, "%s%s%s", rests, rests[0] && doubt[0] ? "; " : "", doubt),
		best_untried_text(best, arena)};
}

/* One sentence of all parts. */
static const char *best_sentence(const struct best_words *words, struct arena *arena)
{
	return arena_printf(arena, "%s%s%s%s%s", words->best, words->rests[0] ? "; rests on " : "",
		words->rests, words->untried[0] ? "; not tried: " : "", words->untried);
}

static void best_print_one(struct comparison *comparison, const char *where,
	const struct best_words *words, bool brief, FILE *out)
{
	uint32_t columns = comparison->columns < PIPE_COLUMNS ? comparison->columns : PIPE_COLUMNS;

	wrap_hang(arena_printf(&comparison->arena, "best: %s%s%s%s", where[0] ? "at " : "", where,
			  where[0] ? ": " : "", words->best),
		0, 6, columns, "", out);
	if (words->rests[0] && !brief)
		wrap_hang(arena_printf(&comparison->arena, "rests on %s", words->rests), 2, 4,
			columns, "", out);
	if (words->untried[0] && !brief)
		wrap_hang(arena_printf(&comparison->arena, "not tried: %s", words->untried), 2, 4,
			columns, "", out);
}

/* Number of contexts that have a best point. */
static uint32_t best_count(struct comparison *comparison, const struct sweep_points *points)
{
	struct best best;
	uint32_t count = 0;

	for (uint32_t i = 0; i < points->count; i++)
		count += best_is_new(comparison, points, &points->at[i]) &&
			 best_pair(comparison, points, &points->at[i], &best);
	return count;
}

void best_print(struct comparison *comparison, FILE *out)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	uint32_t count = best_may_be(comparison) ? best_count(comparison, points) : 0, found = 0;
	double level = count > 0 ? best_level(comparison, points) : 0;

	for (uint32_t i = 0; i < points->count && found < count; i++) {
		struct best best;
		struct best_words words;
		if (!best_is_new(comparison, points, &points->at[i]) ||
			!best_find(comparison, points, &points->at[i], level, &best))
			continue;
		if (++found > LINES_SHOWN)
			continue;
		if (found == 1)
			fputc('\n', out);
		words = best_words(comparison, points, &best);
		best_print_one(comparison, best_keys(comparison, &points->at[i], true), &words,
			count > CONTEXTS_SHOWN, out);
	}
	if (found > LINES_SHOWN)
		fprintf(out, "      %u more context%s: compare --json has them\n",
			found - LINES_SHOWN, found - LINES_SHOWN == 1 ? "" : "s");
}

void best_json(struct comparison *comparison, struct json *json)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	bool may = best_may_be(comparison);
	double level = may ? best_level(comparison, points) : 0;

	json_array_of(json, "best");
	for (uint32_t i = 0; may && i < points->count; i++) {
		struct best best;
		if (!best_is_new(comparison, points, &points->at[i]) ||
			!best_find(comparison, points, &points->at[i], level, &best))
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
		json_text(json, "rests_on", best.rests.count > 0 ? best.rests.at[0].path : NULL);
		json_key(json, "guesses");
		json_integer(json, best.rests.count);
		choices_json(&best.choices, json);
		struct best_words words = best_words(comparison, points, &best);
		json_text(json, "words", best_sentence(&words, &comparison->arena));
		json_object_end(json);
	}
	json_array_end(json);
}
