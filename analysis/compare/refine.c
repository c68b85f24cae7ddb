/* Finds crossovers (values of a key at which a verdict flips) more exactly. Each round runs both
 * designs just below and just above the interpolated value, and in the middle of the interval. It
 * then narrows the interval. The rounds end when the crossover is known to 2 % or to one step of
 * the key, after ROUNDS_MAX rounds, or if all runs of a round fail and coarser() finds no larger
 * step. A step is 1 for whole numbers, and a row or column for mesh shapes. Crossovers between
 * shapes that differ in more than one dimension are skipped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/compare/sweep_points.h"

enum { ROUNDS_MAX = 10, PROBES = 3 };

#define NEAR 0.009 /* relative distance of probes from the interpolated value */

struct probe {
	double at, difference;
	bool good;
};

/* How the values of a key are written. If `prefix` is not empty, a value is written as the prefix,
 * the number value / step, and the suffix. If `prefix` is empty, the value is written as a plain
 * number. */
struct scale {
	double step; /* values are multiples of this; 0: any number */
	const char *prefix, *suffix;
};

static bool narrow_enough(const struct crossover *crossover, const struct scale *scale)
{
	double width = crossover->high - crossover->low;

	return width <= 0.02 * fabs(crossover->at) || width <= scale->step;
}

static void interpolate(struct crossover *crossover)
{
	double before = crossover->difference[0], after = crossover->difference[1];

	crossover->at = crossover->low;
	if (before != after)
		crossover->at += (crossover->high - crossover->low) * before / (before - after);
}

/* Runs both designs at every probe. */
static void run_probes(struct comparison *comparison, const struct sweep_points *points,
	const struct crossover *crossover, const struct scale *scale, struct probe *probes,
	uint32_t count)
{
	struct compare_rerun reruns[2 * PROBES];
	struct compare_change changes[PROBES];

	for (uint32_t i = 0; i < 2 * count; i++) {
		const struct sweep_point *base = crossover->base[i % 2];
		changes[i / 2] = (struct compare_change){crossover->key,
			arena_printf(&comparison->arena, "%s%.12g%s", scale->prefix,
				probes[i / 2].at / (scale->prefix[0] ? scale->step : 1),
				scale->suffix)};
		reruns[i] = (struct compare_rerun){
			.scenario = compare_scenario(base, &comparison->arena),
			.platform = compare_platform(base, &comparison->arena),
			.changes = &changes[i / 2],
			.change_count = 1};
	}
	comparison->rerun_ops->run(comparison->rerun_ops->context, reruns, 2 * count);
	for (uint32_t i = 0; i < count; i++) {
		double first, second;
		probes[i].good = compare_measure(points, &reruns[2 * i], &first);
		probes[i].good &= compare_measure(points, &reruns[2 * i + 1], &second);
		probes[i].difference = probes[i].good ? second - first : 0;
	}
}

/* Moves one end of the interval to a probe inside it. */
static void refine_take(struct crossover *crossover, const struct probe *probe)
{
	if (!probe->good || probe->at <= crossover->low || probe->at >= crossover->high)
		return;
	if ((probe->difference > 0) == (crossover->difference[0] > 0)) {
		crossover->low = probe->at;
		crossover->difference[0] = probe->difference;
	} else {
		crossover->high = probe->at;
		crossover->difference[1] = probe->difference;
	}
}

static uint32_t refine_choose(
	const struct crossover *crossover, const struct scale *scale, struct probe *probes)
{
	double wanted[PROBES] = {crossover->at * (1 - NEAR), crossover->at * (1 + NEAR),
		(crossover->low + crossover->high) / 2};
	uint32_t count = 0;

	for (int i = 0; i < PROBES; i++) {
		double steps = wanted[i] / scale->step;
		double at = scale->step > 0 ? scale->step * (i == 0 ? floor(steps) : ceil(steps))
					    : wanted[i];
		bool known = at <= crossover->low || at >= crossover->high;
		for (uint32_t j = 0; j < count; j++)
			known |= probes[j].at == at;
		if (!known)
			probes[count++] = (struct probe){.at = at};
	}
	return count;
}

/* The value of a shape is the product of its numbers. Sets *scale so that a value between those of
 * two shapes can be written as a shape. For "[2, 8]" and "[8, 8]", whose values are 16 and 64, the
 * prefix is "[", the step is 8, and the suffix is ", 8]". Returns false if the shapes differ in
 * more than one number. */
static bool scale_of_shape(
	const char *low, const char *high, struct arena *arena, struct scale *scale)
{
	size_t same = 0, tail;
	double whole, part;

	while (low[same] && low[same] == high[same])
		same++;
	while (same > 0 && low[same - 1] >= '0' && low[same - 1] <= '9')
		same--;
	part = strtod(low + same, NULL);
	tail = same + strspn(low + same, "0123456789");
	*scale = (struct scale){.prefix = arena_copy(arena, low, same), .suffix = low + tail};
	if (!key_number(low, &whole) || part <= 0 || tail == same ||
		strcmp(scale->suffix, high + same + strspn(high + same, "0123456789")) != 0)
		return false;
	scale->step = whole / part;
	return true;
}

static bool refine_scale_of(
	const struct crossover *crossover, struct arena *arena, struct scale *scale)
{
	bool whole = crossover->low == floor(crossover->low) &&
		     crossover->high == floor(crossover->high);

	*scale = (struct scale){whole ? 1 : 0, "", ""};
	return crossover->ends[0][0] != '[' ||
	       scale_of_shape(crossover->ends[0], crossover->ends[1], arena, scale);
}

/* Called when all runs of a round have failed. If the values of the key are 1 apart, a frequent
 * reason is that a size is not a whole number of pages. Then sets the step between values to the
 * greatest common divisor of the two ends of the interval. Returns false if this divisor is 1, or
 * if the step was not 1. */
static bool coarser(const struct crossover *crossover, struct scale *scale)
{
	double a = crossover->low, b = crossover->high;

	while (a >= 1) {
		double rest = fmod(b, a);
		b = a;
		a = rest;
	}
	if (scale->step != 1 || scale->prefix[0] || b <= 1)
		return false;
	scale->step = b;
	return true;
}

static void refine(struct comparison *comparison, const struct sweep_points *points,
	struct crossover *crossover, struct scale *scale)
{
	for (int round = 0; round < ROUNDS_MAX && !narrow_enough(crossover, scale); round++) {
		struct probe probes[PROBES];
		uint32_t count = refine_choose(crossover, scale, probes), good = 0;
		run_probes(comparison, points, crossover, scale, probes, count);
		for (uint32_t i = 0; i < count; i++) {
			refine_take(crossover, &probes[i]);
			good += probes[i].good;
		}
		if (good == 0 && !coarser(crossover, scale))
			return;
		interpolate(crossover);
	}
	crossover->refined = narrow_enough(crossover, scale);
}

void compare_refine(struct comparison *comparison, struct question *question)
{
	for (uint32_t i = 0; i < question->crossover_count; i++) {
		struct crossover *crossover = &question->crossovers[i];
		struct scale scale;
		if (refine_scale_of(crossover, &comparison->arena, &scale))
			refine(comparison, question->points, crossover, &scale);
	}
}
