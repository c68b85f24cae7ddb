/* Collects the facts from which a verdict is made (comparison.h): the two runs that are compared,
 * the stage that causes most of the difference, and the uncertain constants on which the verdict
 * depends. */
#include "analysis/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A verdict depends on a constant only if it moves the verdict's margin by at least this part. */
#define EFFECT_LEAST 0.03

bool compare_pair(const struct question *question, const struct sweep_point *pair[2])
{
	const struct context *focus = &question->contexts[question->focus];

	if (question->outcome == OUTCOME_UNDECIDED || focus->count < 2)
		return false;
	pair[0] = focus->points[focus->order[0]];
	pair[1] = focus->points[focus->order[1]];
	return true;
}

static const char *comparison_text_of(
	const struct sweep_point *point, const char *name, struct arena *arena)
{
	struct summary *summary = point->summary;

	return result_document(summary->result,
		arena_printf(arena, "%s/%s", summary_group(summary, point->row), name), arena);
}

const char *compare_scenario(const struct sweep_point *point, struct arena *arena)
{
	return comparison_text_of(point, "scenario", arena);
}

const char *compare_platform(const struct sweep_point *point, struct arena *arena)
{
	return comparison_text_of(point, "platform", arena);
}

double compare_stage(const struct sweep_point *const pair[2], int stage)
{
	return pair[1]->stages.time[stage] - pair[0]->stages.time[stage];
}

enum stage compare_mechanism(const struct sweep_point *const pair[2])
{
	int most = STAGE_COUNT;
	double whole = 0;

	if (!pair[0]->stages.known || !pair[1]->stages.known)
		return STAGE_COUNT;
	for (int s = 0; s < STAGE_COUNT; s++) {
		double difference = compare_stage(pair, s);
		whole += difference;
		if (difference > 0 &&
			(most == STAGE_COUNT || difference > compare_stage(pair, most)))
			most = s;
	}
	return whole > 0 ? (enum stage)most : STAGE_COUNT;
}

enum stage compare_next(const struct sweep_point *const pair[2], enum stage first, bool against)
{
	double most = compare_stage(pair, (int)first) / 20;
	enum stage next = STAGE_COUNT;

	for (int s = 0; s < STAGE_COUNT; s++) {
		double difference = compare_stage(pair, s) * (against ? -1 : 1);
		if (s == (int)first || difference <= most)
			continue;
		most = difference;
		next = (enum stage)s;
	}
	return next;
}

uint32_t compare_front(const struct question *question, uint32_t *options)
{
	const struct context *focus = &question->contexts[question->focus];
	double least = 0;
	uint32_t count = 0;

	if (focus->needed)
		return 0;
	for (uint32_t i = 0; i < focus->count; i++) {
		const struct sweep_point *point = focus->points[focus->order[i]];
		if (count > 0 && sweep_point_cpu(point) >= least)
			continue;
		least = sweep_point_cpu(point);
		options[count++] = focus->order[i];
	}
	return count;
}

void compare_charge(const struct sweep_point *const pair[2], const struct constant *constant,
	double factor, double more[2])
{
	double growth = charge_growth(constant->unit, factor);

	for (int i = 0; i < 2; i++)
		if (pair[i]->charges.whole > 0)
			more[i] += growth * charges_of(&pair[i]->charges, constant->path) /
				   pair[i]->charges.whole;
}

double compare_margin(const struct question *question, const struct sweep_point *const pair[2],
	const double more[2])
{
	double first = sweep_point_value(question->points, pair[0]) * (1 + more[0]);
	double second = sweep_point_value(question->points, pair[1]) * (1 + more[1]);

	return first > 0 ? second / first - 1 : 0;
}

double compare_effect(const struct question *question, const struct sweep_point *const pair[2],
	const struct constant *constant)
{
	static const double factors[] = {0.7, 1.3}, none[2] = {0, 0};
	double nominal = compare_margin(question, pair, none), most = 0;

	if (question->points->figure == FIGURE_HOST_CPU)
		return 0; /* charges cover the critical paths of operations only */
	for (int f = 0; f < 2 && nominal > 0; f++) {
		double more[2] = {0, 0}, moved;
		compare_charge(pair, constant, factors[f], more);
		moved = fabs(compare_margin(question, pair, more) - nominal) / nominal;
		most = moved > most ? moved : most;
	}
	return most;
}

/* Compares constants for sorting: the constant with the largest effect on the margin comes first.
 * Constants with equal effects are sorted alphabetically by kind, and then by path. */
static int by_weight(const void *a, const void *b)
{
	const struct constant *x = a, *y = b;
	int order = strcmp(x->kind, y->kind);

	if (x->effect != y->effect)
		return x->effect > y->effect ? -1 : 1;
	return order ? order : strcmp(x->path, y->path);
}

/* Returns a copy of constants in `arena`. */
static struct constants constants_copy(const struct constants *constants, struct arena *arena)
{
	struct constants copy = {
		arena_array(arena, constants->count + 1, sizeof(*copy.at)), constants->count};

	for (uint32_t i = 0; i < copy.count; i++) {
		copy.at[i] = constants->at[i];
		copy.at[i].path = arena_string(arena, copy.at[i].path);
		copy.at[i].unit = arena_string(arena, copy.at[i].unit);
		copy.at[i].kind = arena_string(arena, copy.at[i].kind);
	}
	return copy;
}

struct constants compare_guesses(struct comparison *comparison, const struct question *question,
	const struct sweep_point *const pair[2])
{
	const struct robustness *robust = &question->robust;
	struct arena scratch = {0}; /* a platform has hundreds of constants, and few are kept */
	struct constants all = constants_read(compare_platform(pair[0], &scratch), &scratch);
	bool known = pair[0]->charges.known && pair[1]->charges.known;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < all.count; i++) {
		struct constant *constant = &all.at[i];
		constant->effect = compare_effect(question, pair, constant);
		if (robust->tried_any && robust->effects[i] >= 0 &&
			(constant->effect > 0 || !known))
			constant->effect = robust->effects[i];
		if (constant->effect >= EFFECT_LEAST && constant_is_guess(constant))
			all.at[kept++] = *constant;
	}
	all.count = kept;
	if (kept > 0)
		qsort(all.at, kept, sizeof(*all.at), by_weight);
	all = constants_copy(&all, &comparison->arena);
	arena_fini(&scratch);
	return all;
}

struct constants compare_rests(struct comparison *comparison, const struct question *question)
{
	const struct sweep_point *pair[2];

	if (!compare_pair(question, pair))
		return (struct constants){NULL, 0};
	return compare_guesses(comparison, question, pair);
}

bool compare_measure(const struct sweep_points *points, struct compare_rerun *rerun, double *value)
{
	struct sweep_point point;
	struct arena arena;
	struct summary summary;
	struct text why;
	bool good = false;

	if (!rerun->good)
		return false;
	arena_init(&arena);
	text_init(&why);
	if (summary_open(&summary, rerun->result, &why)) {
		good = sweep_point_read(&summary, points, &arena, &point, &why) && point.good;
		if (good)
			*value = sweep_point_value(points, &point);
		summary_close(&summary);
	}
	if (!good)
		snprintf(rerun->why, sizeof(rerun->why), "%s",
			why.length ? text_string(&why) : "its result has no figures");
	unlink(rerun->result);
	text_fini(&why);
	arena_fini(&arena);
	return good;
}
