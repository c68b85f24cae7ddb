/* Finds the values of a numeric key at which a verdict flips. Interpolates between values that were
 * run, and never extrapolates. */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/question.h"
#include "analysis/compare/sweep_points.h"

/* True if the two contexts have the same values of all fixed keys except `column`. */
static bool neighbours(const struct question *question, const struct summary *summary,
	const struct context *a, const struct context *b, uint32_t column)
{
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		if (question->is_option[i] || question->is_free[i] || i == column)
			continue;
		if (strcmp(a->keys[i], b->keys[i]) != 0)
			return false;
	}
	return true;
}

struct place {
	double number;
	const struct context *context;
};

static int by_number(const void *a, const void *b)
{
	double x = ((const struct place *)a)->number, y = ((const struct place *)b)->number;

	return (x > y) - (x < y);
}

/* Finds the contexts that differ from `first` at most in `column`. Writes those with two or more
 * options to `places`, sorted by their value in this column, and returns their number. Returns 0 if
 * the value of one of the contexts is not a number. */
static uint32_t places_along(const struct question *question, const struct summary *summary,
	const struct context *first, uint32_t column, struct place *places)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->context_count; i++) {
		const struct context *context = &question->contexts[i];
		if (!neighbours(question, summary, first, context, column))
			continue;
		if (!key_number(context->keys[column], &places[count].number))
			return 0;
		if (context->count > 1)
			places[count++].context = context;
	}
	qsort(places, count, sizeof(*places), by_number);
	return count;
}

/* The value of option `b` minus the value of option `a`. */
static double difference(
	const struct sweep_points *points, const struct context *context, uint32_t a, uint32_t b)
{
	return sweep_point_value(points, context->points[b]) -
	       sweep_point_value(points, context->points[a]);
}

/* Converts the difference between the values of two options into a difference per operation, if the
 * values are times per byte. Only times per operation grow linearly with the size, so only they can
 * be interpolated over sizes. */
static double of_operation(const struct sweep_points *points, const struct context *context,
	uint32_t a, double difference)
{
	const struct sweep_point *point = context->points[a];

	return points->by_byte && point->bytes > 0 ? difference * point->bytes : difference;
}

static const char *others(const struct question *question, const struct summary *summary,
	const struct context *context, uint32_t column, struct arena *arena)
{
	const char *label = "";

	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *name = summary_short_name(summary, i);
		if (question->is_option[i] || question->is_free[i] || i == column ||
			strcmp(context->keys[i], "-") == 0)
			continue;
		label = arena_printf(
			arena, "%s%s%s=%s", label, label[0] ? ", " : "", name, context->keys[i]);
	}
	return label;
}

/* Returns the one of options `a` and `b` that is saturated at `low` or at `high`, or NULL if
 * neither is. A saturated option completes operations more slowly than they arrive. Its latency
 * grows with the length of the run, so it cannot be interpolated. */
static const char *saturated_of(const struct question *question, const struct context *low,
	const struct context *high, uint32_t a, uint32_t b)
{
	if (low->points[a]->saturated || high->points[a]->saturated)
		return question->options[a];
	if (low->points[b]->saturated || high->points[b]->saturated)
		return question->options[b];
	return NULL;
}

/* Called for two neighbouring contexts whose best options differ, but in which the difference may
 * be chance. If more seeds could make the difference certain, sets the question's hint to a text
 * that names these two contexts. A question that already has a hint keeps it. */
static void add_hint(struct question *question, const struct context *low,
	const struct context *high, const char *name, uint32_t column, struct arena *arena)
{
	uint32_t a = low->order[0], b = high->order[0];

	if (question->hint || low->margins[b].ratio < MARGIN_LEAST ||
		high->margins[a].ratio < MARGIN_LEAST || low->needed || high->needed ||
		!(seeds_are_few(low->points[a]) || seeds_are_few(high->points[b])))
		return;
	question->hint = arena_printf(arena,
		"perhaps from %s to %s between %s = %s and %s, but %u seeds do not show it",
		question->options[a], question->options[b], name, low->keys[column],
		high->keys[column], low->points[a]->seeds);
}

/* Sets the hint of a question that has none yet. The focus is the context that the verdict
 * explains. The hint names the first context in which another option than in the focus seems to be
 * the best, and in which more seeds could make this certain. */
static void add_context_hint(struct question *question, struct arena *arena)
{
	const struct context *focus = &question->contexts[question->focus];

	for (uint32_t i = 0; !question->hint && focus->count > 0 && i < question->context_count;
		i++) {
		const struct context *context = &question->contexts[i];
		uint32_t ahead = context->count > 1 ? context->order[0] : focus->order[0];
		uint32_t usual = focus->order[0];
		if (ahead == usual || context->tied < 2 || !context->points[usual] ||
			context->needed || context->margins[usual].ratio < MARGIN_LEAST ||
			!seeds_are_few(context->points[ahead]))
			continue;
		question->hint = arena_printf(arena,
			"perhaps from %s to %s at %s, but %u seeds do not show it",
			question->options[usual], question->options[ahead], context->label,
			context->points[ahead]->seeds);
	}
}

static void crossover_add_crossovers(struct question *question, const struct summary *summary,
	const struct sweep_points *points, const struct place *places, uint32_t count,
	uint32_t column, struct arena *arena)
{
	for (uint32_t i = 0; i + 1 < count; i++) {
		const struct context *low = places[i].context, *high = places[i + 1].context;
		uint32_t a = low->order[0], b = high->order[0];
		struct crossover *crossover = &question->crossovers[question->crossover_count];
		double before, after, first, last;
		if (a == b || !low->points[b] || !high->points[a])
			continue;
		before = difference(points, low, a, b);
		after = difference(points, high, a, b);
		/* Noise must not look like a crossover. So the intervals of both margins must
		 * exclude 0, and at least one of the margins must decide. */
		if ((!margin_decides(&low->margins[b]) && !margin_decides(&high->margins[a])) ||
			low->margins[b].low <= 0 || high->margins[a].low <= 0) {
			add_hint(question, low, high, summary_short_name(summary, column), column,
				arena);
			continue;
		}
		*crossover = (struct crossover){
			.key = summary->dataset.columns[summary->swept_first + column].name,
			.name = summary_short_name(summary, column),
			.context = others(question, summary, low, column, arena),
			.column = column,
			.below = a,
			.above = b,
			.low = places[i].number,
			.high = places[i + 1].number,
			.saturated = saturated_of(question, low, high, a, b),
			.ends = {low->keys[column], high->keys[column]},
			.base = {low->points[a], low->points[b]},
			.difference = {before, after}};
		first = of_operation(points, low, a, before);
		last = of_operation(points, high, a, after);
		crossover->at = crossover->saturated
					? (crossover->low + crossover->high) / 2
					: crossover->low + (crossover->high - crossover->low) *
								   first / (first - last);
		question->crossover_count++;
	}
}

void crossovers_find(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena)
{
	struct place *places = arena_array(arena, question->context_count, sizeof(*places));

	question->crossovers =
		arena_array(arena, (size_t)question->context_count * (summary->swept_count + 1),
			sizeof(*question->crossovers));
	for (uint32_t column = 0; column < summary->swept_count; column++) {
		if (question->is_option[column] || question->is_free[column])
			continue;
		for (uint32_t i = 0; i < question->context_count; i++) {
			uint32_t first = 0, count;
			while (!neighbours(question, summary, &question->contexts[first],
				&question->contexts[i], column))
				first++;
			if (first != i)
				continue;
			count = places_along(
				question, summary, &question->contexts[i], column, places);
			crossover_add_crossovers(
				question, summary, points, places, count, column, arena);
		}
	}
	add_context_hint(question, arena);
}
