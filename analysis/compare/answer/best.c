/* Finds the best point of a sweep in each context of conditions (best.h). */
#include "analysis/compare/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/verdict_items.h"
#include "analysis/print/wrap.h"

/* Up to CONTEXTS_SHOWN contexts are printed with everything that their best points depend on. If
 * there are more contexts, each of them gets one line, and at most LINES_SHOWN lines are printed.
 * At most CHOICES_SHOWN choices are named. */
enum { CONTEXTS_SHOWN = 3, LINES_SHOWN = 12, CHOICES_SHOWN = 3 };

/* Finds the guesses that move the margin, sorted by their effect, the largest first. */
static struct constants best_rests(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *const pair[2])
{
	const struct question question = {.points = points};

	return compare_guesses(comparison, &question, pair);
}

/* A point and its context. The context is one text with the values of the keys that set it. */
struct best_place {
	const char *where;
	const struct sweep_point *point;
};

/* Sorts points by context. Points with the same context keep their order. */
static int best_by_place(const void *a, const void *b)
{
	const struct best_place *x = a, *y = b;
	int order = strcmp(x->where, y->where);

	return order ? order : (x->point > y->point) - (x->point < y->point);
}

static int by_first_point(const void *a, const void *b)
{
	const struct best *x = a, *y = b;

	return (x->like > y->like) - (x->like < y->like);
}

static const char *best_where(
	const struct summary *summary, const struct sweep_point *point, struct arena *arena)
{
	const char *where = "";

	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (best_is_context(summary, i))
			where = arena_printf(arena, "%s%s\n", where, point->keys[i]);
	return where;
}

/* Updates the best and the next best point of a context with another point of this context. */
static void best_take(
	struct best *best, const struct sweep_points *points, const struct sweep_point *point)
{
	double value;

	best->needed = point->good && point->needed > best->needed ? point->needed : best->needed;
	if (!point->good || point->saturated)
		return;
	value = sweep_point_value(points, point);
	if (!best->first || value < sweep_point_value(points, best->first)) {
		best->next = best->first;
		best->first = point;
	} else if (!best->next || value < sweep_point_value(points, best->next)) {
		best->next = point;
	}
}

/* Finds the best and the second-best point of each context for one subject. Contexts are sorted by
 * their first points. Finds no best points if two files are compared, if no questions are asked
 * about the subject (compare_is_part()), or if each context of the sweep has only one point. A
 * context has no best point if one of its points has too few operations for a steady state, or if
 * all of them failed or are saturated. */
static struct bests best_find(struct comparison *comparison, const struct sweep_points *points)
{
	struct arena *arena = &comparison->arena;
	struct best_place *places = arena_array(arena, points->count + 1, sizeof(*places));
	struct bests bests = {.at = arena_array(arena, points->count + 1, sizeof(*bests.at))};
	bool several = false;

	if (comparison->pair || compare_is_part(comparison, points))
		return bests;
	for (uint32_t i = 0; i < points->count; i++)
		places[i] = (struct best_place){
			best_where(&comparison->summary, &points->at[i], arena), &points->at[i]};
	qsort(places, points->count, sizeof(*places), best_by_place);
	for (uint32_t i = 0; i < points->count; i++) {
		struct best *best = &bests.at[bests.count];
		bool same = i > 0 && strcmp(places[i - 1].where, places[i].where) == 0;
		several |= same;
		if (!same)
			*best = (struct best){.like = places[i].point};
		best_take(best, points, places[i].point);
		if (i + 1 < points->count && strcmp(places[i].where, places[i + 1].where) == 0)
			continue;
		if (best->first && !best->needed) {
			bests.count++;
			continue;
		}
		if (bests.none_count++ == 0)
			bests.none = best->like;
		bests.needed = best->needed > bests.needed ? best->needed : bests.needed;
	}
	if (!several)
		bests.count = bests.none_count = 0;
	qsort(bests.at, bests.count, sizeof(*bests.at), by_first_point);
	return bests;
}

/* Sets the margins of the best points, and one significance level for all margins. The more margins
 * there are, the stricter is the level, so that probably no margin seems significant by chance. */
static void best_set_margins(
	struct comparison *comparison, const struct sweep_points *points, struct bests *bests)
{
	double *chances = arena_array(&comparison->arena, bests->count + 1, sizeof(*chances));
	uint32_t count = 0;

	for (uint32_t i = 0; i < bests->count; i++) {
		struct best *best = &bests->at[i];
		if (!best->next)
			continue;
		best->margin = sweep_margin(points, best->first, best->next, FIGURE_METRIC);
		if (!best->margin.few)
			chances[count++] = best->margin.chance;
	}
	bests->level = margins_level(chances, count);
	for (uint32_t i = 0; i < bests->count; i++)
		bests->at[i].margin.level = bests->level;
}

/* The best points of a subject. */
static struct bests *best_list(struct comparison *comparison, uint32_t subject)
{
	const struct sweep_points *points = &comparison->subjects[subject].points;
	struct bests *bests;

	if (!comparison->bests) {
		size_t bytes = (comparison->subject_count + 1) * sizeof(*comparison->bests);
		comparison->bests = memset(arena_alloc(&comparison->arena, bytes), 0, bytes);
	}
	bests = &comparison->bests[subject];
	if (!bests->at) {
		*bests = best_find(comparison, points);
		best_set_margins(comparison, points, bests);
	}
	return bests;
}

/* Finds what the margin between the best point and the next one depends on. Does this only once. */
static const struct best *best_known(
	struct comparison *comparison, const struct sweep_points *points, struct best *best)
{
	const struct sweep_point *pair[2] = {best->first, best->next};

	if (best->known)
		return best;
	best->known = true;
	if (!best->next)
		return best;
	best->decided = question_beats(points, pair, &best->margin, &best->doubt);
	best->rests = best_rests(comparison, points, pair);
	best->choices = choices_between(comparison, pair);
	best->traded = best_traded(&comparison->summary, points, best);
	return best;
}

const struct best *best_first(struct comparison *comparison)
{
	uint32_t main = best_main(comparison);
	struct bests *bests = best_list(comparison, main);

	return bests->count > 0
		       ? best_known(comparison, &comparison->subjects[main].points, &bests->at[0])
		       : NULL;
}

/* Returns a text with the values of a point's swept keys: "broadcast, initiators 4". If
 * `conditions` is set, the text has the keys that are conditions; otherwise it has the keys that
 * are choices. If a value is a number or a switch, the name of its key is added. */
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

/* ---- words ---- */

static const char *best_next_text(
	const struct sweep_points *points, const struct best *best, struct arena *arena)
{
	bool cpu = points->figure == FIGURE_HOST_CPU;

	if (!best->next)
		return "";
	if (best->margin.ratio < COMPARE_EQUAL)
		return arena_printf(arena, " (run %lld is equal)", best_run(best->next));
	if (!best->decided && !margin_may_decide(&best->margin))
		return arena_printf(arena, " (run %lld is equal within %.2g %%)",
			best_run(best->next), 100 * fmax(best->margin.high, best->margin.ratio));
	return arena_printf(arena, " (next: run %lld, %s%s)", best_run(best->next),
		compare_more(best->margin.ratio, cpu ? "more" : "slower",
			cpu ? "as much" : "as long", arena),
		best->decided ? "" : ", undecided");
}

/* Says that the margin is smaller than the measured error of the model in a family of figures. */
static const char *best_doubt_text(const struct best *best, bool whole, struct arena *arena)
{
	const struct model_doubt *doubt = &best->doubt;

	if (!best->next || doubt->most < MODEL_DOUBT_LEAST || best->margin.ratio >= doubt->error ||
		best->margin.ratio < MARGIN_LEAST)
		return "";
	return arena_printf(arena, "below the model's error of %s",
		whole ? trust_error_text(doubt, arena) : compare_percent(doubt->error, arena));
}

/* Returns a text that says what the best point rests on: guesses, grouped by kind, and the first of
 * best->choices. If `whole` is not set, the text names only the guess that changes the margin most,
 * and the first choice. Returns "" if there are neither guesses nor choices. */
static const char *best_rests_text(const struct best *best, bool whole, struct arena *arena)
{
	const struct choices *choices = &best->choices;
	const char *kinds[CONSTANT_KINDS + 1], *text = "";
	uint32_t count = 0;

	if (whole)
		count = verdict_rests_texts(&best->rests, true, kinds, CONSTANT_KINDS + 1, arena);
	else if (best->rests.count > 0)
		kinds[count++] = arena_printf(
			arena, "%s (%s)", best->rests.at[0].path, best->rests.at[0].kind);
	for (uint32_t i = 0; i < count; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? "; " : "", kinds[i]);
	if (choices->count > 0)
		text = arena_printf(arena, "%s%s%s: %s", text,
			count > 1 ? "; and on "
			: !count  ? ""
			: whole	  ? ", and on "
				  : " and ",
			choices->at[0].name, choices->at[0].value);
	return text[0] ? arena_printf(arena, "rests on %s", text) : "";
}

static const char *best_untried_text(const struct best *best, uint32_t most, struct arena *arena)
{
	const struct choices *choices = &best->choices;
	const char *text = "";
	uint32_t shown = 0;

	for (uint32_t i = 0; i < choices->count && i < CHOICES_SHOWN && shown < most; i++)
		if (choices->at[i].other_count > 0)
			text = arena_printf(arena, "%s%s%s %s", text,
				shown++ ? ", " : "not tried: ", choices->at[i].name,
				choices->at[i].others[0]);
	return text;
}

struct best_words best_words(
	struct comparison *comparison, const struct sweep_points *points, const struct best *best)
{
	struct arena *arena = &comparison->arena;
	const char *keys = best_keys(comparison, best->first, false);
	const char *traded = best_traded_text(points, best, arena);
	const double values[] = {sweep_point_value(points, best->first),
		best->next ? sweep_point_value(points, best->next) : 0};
	int digits = compare_value_digits(points, values, 2, arena);

	return (struct best_words){.best = arena_printf(arena, "run %lld%s%s: %s%s%s",
					   best_run(best->first), keys[0] ? ", " : "", keys,
					   compare_value_text(points, values[0], digits, arena),
					   points->iteration ? " an iteration" : "",
					   best_next_text(points, best, arena)),
		.parts = {traded, best_rests_text(best, true, arena),
			best_untried_text(best, CHOICES_SHOWN, arena),
			best_doubt_text(best, true, arena)},
		.brief = {traded, best_rests_text(best, false, arena),
			best_untried_text(best, 1, arena), best_doubt_text(best, false, arena)}};
}

/* Prints a best point, in at most three lines (best_lines_print()). If `brief` is set, leaves out
 * what the point depends on. */
static void best_print_one(struct comparison *comparison, const char *where,
	const struct best_words *words, bool brief, FILE *out)
{
	const char *traded = words->brief[0];
	const char *head =
		arena_printf(&comparison->arena, "best: %s%s%s%s%s", where, where[0] ? ": " : "",
			words->best, brief && traded[0] ? "; " : "", brief ? traded : "");

	if (brief)
		wrap_hang(head, 0, 6, comparison->answer_columns, "", out);
	else
		best_lines_print(head, words, comparison->answer_columns, &comparison->arena, out);
}

/* Returns a text that names a loop and a context: "for decode at platform=t3k". Without `loops`, it
 * names only the context. If there is only one context, it is left out. */
static const char *best_of_what(struct comparison *comparison, const struct sweep_points *points,
	const struct best *best, bool loops)
{
	const char *context = best_keys(comparison, best->like, true);
	const char *name = points->label;

	if (strncmp(name, SWEEP_ITERATION_OF, strlen(SWEEP_ITERATION_OF)) == 0)
		name += strlen(SWEEP_ITERATION_OF);
	else if (strchr(name, '/'))
		name = strchr(name, '/') + 1;
	return arena_printf(&comparison->arena, "%s%s%s%s%s", loops ? "for " : "",
		loops ? name : "", loops && context[0] ? " " : "", context[0] ? "at " : "",
		context);
}

/* Names a context without a best point, and says why there is none. */
static void best_print_none(struct comparison *comparison, const struct sweep_points *points,
	const struct bests *bests, FILE *out)
{
	struct arena *arena = &comparison->arena;
	const char *where, *more = "", *why = "no run there is good";

	if (bests->none_count == 0)
		return;
	for (uint32_t i = 0; i < points->count; i++)
		if (points->at[i].saturated)
			why = "all runs there are saturated or failed";
	where = best_keys(comparison, bests->none, true);
	if (bests->none_count > 1)
		more = arena_printf(arena, ", and in %u more context%s", bests->none_count - 1,
			bests->none_count == 2 ? "" : "s");
	if (bests->needed > 0)
		why = arena_printf(arena,
			"so few operations in flight show no steady state; about %u would",
			bests->needed);
	wrap_hang(
		arena_printf(arena, "no best%s%s%s: %s", where[0] ? " at " : "", where, more, why),
		0, 6, comparison->answer_columns, "", out);
}

/* Prints the best points of a subject. If `loops` is set, also prints the subject's name. */
static void best_print_subject(
	struct comparison *comparison, uint32_t subject, bool loops, FILE *out)
{
	const struct sweep_points *points = &comparison->subjects[subject].points;
	struct bests *bests = best_list(comparison, subject);
	uint32_t shown = bests->count < LINES_SHOWN ? bests->count : LINES_SHOWN;

	for (uint32_t i = 0; i < shown; i++) {
		const struct best *best = best_known(comparison, points, &bests->at[i]);
		struct best_words words = best_words(comparison, points, best);
		best_print_one(comparison, best_of_what(comparison, points, best, loops), &words,
			bests->count > CONTEXTS_SHOWN, out);
	}
	best_print_none(comparison, points, bests, out);
	if (bests->count > shown)
		fprintf(out, "      and in %u context%s more, which compare --json lists\n",
			bests->count - shown, bests->count - shown == 1 ? "" : "s");
}

/* Lists the subjects that have best points, the main one first. Returns their number. */
static uint32_t best_subjects(struct comparison *comparison, uint32_t **subjects)
{
	uint32_t main = best_main(comparison), count = 0;

	*subjects =
		arena_array(&comparison->arena, comparison->subject_count + 1, sizeof(**subjects));
	for (uint32_t i = 0; i < comparison->subject_count; i++) {
		uint32_t s = i == 0 ? main : i - (i <= main);
		const struct bests *bests;

		if (!best_is_asked(comparison, s, main))
			continue;
		bests = best_list(comparison, s);
		if (bests->count + bests->none_count > 0)
			(*subjects)[count++] = s;
	}
	return count;
}

void best_print(struct comparison *comparison, FILE *out)
{
	uint32_t *subjects, count = best_subjects(comparison, &subjects);

	if (count > 0)
		fputc('\n', out);
	for (uint32_t i = 0; i < count; i++)
		best_print_subject(comparison, subjects[i], count > 1 || subjects[i] > 0, out);
}

static void best_json_one(struct comparison *comparison, const struct sweep_points *points,
	const struct best *best, struct json *json)
{
	struct best_words words = best_words(comparison, points, best);

	json_object(json);
	json_text(json, "subject", points->label);
	json_text(json, "context", best_keys(comparison, best->like, true));
	json_integer_of(json, "run", best_run(best->first));
	json_real_of(json, "value", sweep_point_value(points, best->first));
	json_key(json, "next");
	if (best->next)
		json_integer(json, best_run(best->next));
	else
		json_null(json);
	json_key(json, "margin");
	if (best->next)
		json_real(json, best->margin.ratio);
	else
		json_null(json);
	json_bool_of(json, "decided", best->decided);
	json_text(json, "rests_on", best->rests.count > 0 ? best->rests.at[0].path : NULL);
	json_integer_of(json, "guesses", best->rests.count);
	choices_json(&best->choices, json);
	json_text(json, "words", best_lines_sentence(&words, &comparison->arena));
	json_object_end(json);
}

void best_json(struct comparison *comparison, struct json *json)
{
	uint32_t *subjects, count = best_subjects(comparison, &subjects);

	json_array_of(json, "best");
	for (uint32_t k = 0; k < count; k++) {
		const struct sweep_points *points = &comparison->subjects[subjects[k]].points;
		struct bests *bests = best_list(comparison, subjects[k]);

		for (uint32_t i = 0; i < bests->count; i++)
			best_json_one(comparison, points,
				best_known(comparison, points, &bests->at[i]), json);
	}
	json_array_end(json);
}
