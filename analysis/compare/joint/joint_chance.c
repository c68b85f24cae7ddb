/* Counts how often each option is the best in the draws, and finds the costs that explain how the
 * margin varies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_private.h"

/* Costs with a smaller share of the variance are not named. */
#define SHARE_LEAST 0.01

void joint_count(const double *times, uint32_t options, uint32_t draws, double *chances)
{
	for (uint32_t i = 0; i < draws; i++) {
		uint32_t equal = 0;
		double least = INFINITY;
		for (uint32_t o = 0; o < options; o++)
			least = fmin(least, times[(size_t)o * draws + i]);
		for (uint32_t o = 0; o < options; o++)
			equal += times[(size_t)o * draws + i] == least;
		for (uint32_t o = 0; o < options; o++)
			if (times[(size_t)o * draws + i] == least)
				chances[o] += 1.0 / equal / draws;
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void joint_quantiles(const double *times, uint32_t draws, double *scratch, struct joint *joint)
{
	for (uint32_t i = 0; i < draws; i++)
		scratch[i] = times[draws + i] / times[i] - 1;
	qsort(scratch, draws, sizeof(*scratch), by_value);
	joint->low = scratch[(uint32_t)(0.05 * draws)];
	joint->middle = scratch[draws / 2];
	joint->high = scratch[(uint32_t)(0.95 * draws)];
}

/* Adds a share to the list of the largest shares, which is sorted, the largest first. */
static void keep_share(struct joint *joint, const struct joint_cost_share *share)
{
	uint32_t place = joint->share_count;

	while (place > 0 && joint->shares[place - 1].total < share->total)
		place--;
	if (place == JOINT_NAMED || share->total < SHARE_LEAST)
		return;
	if (joint->share_count < JOINT_NAMED)
		joint->share_count++;
	memmove(&joint->shares[place + 1], &joint->shares[place],
		(joint->share_count - place - 1) * sizeof(*share));
	joint->shares[place] = *share;
}

static double joint_chance_mean(const double *values, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	return sum / count;
}

/* Writes the logarithm of the pair's margin in each draw to `out`. */
static void logarithms(const double *times, uint32_t draws, double *out)
{
	for (uint32_t i = 0; i < draws; i++)
		out[i] = log(times[draws + i] / times[i]);
}

/* Returns the first-order share and the total share of the variance that one cost explains. There
 * are two independent sets of draws, "first" and "second". The function takes the draws of
 * "first", and replaces only the values of this cost by those of "second" ("pick and freeze").
 * Saltelli's formula (2010) then gives the first-order share, and Jansen's (1999) gives the total
 * share. */
static struct joint_cost_share share_of(const struct joint_cost *cost, struct joint_space *space,
	const double *first, const double *second, double second_mean, double variance)
{
	struct joint_cost_share share = {cost->constant->path, cost->constant->kind,
		.factor = exp(JOINT_DEVIATIONS * cost->sigma)};
	uint32_t draws = space->draws;

	joint_draw("first", cost, draws, space->order, space->growths);
	joint_draw("second", cost, draws, space->order, space->others);
	for (uint32_t i = 0; i < draws; i++) {
		double more = space->others[i] - space->growths[i];
		double moved = log((space->times[draws + i] + cost->parts[1] * more) /
				       (space->times[i] + cost->parts[0] * more)) -
			       first[i];
		share.first += (second[i] - second_mean) * moved / draws / variance;
		share.total += moved * moved / 2 / draws / variance;
	}
	return share;
}

void joint_variance(const struct joint_model *model, struct joint_space *space, struct joint *joint,
	struct arena *arena)
{
	uint32_t draws = space->draws;
	double *first = arena_array(arena, draws, sizeof(*first));
	double *second = arena_array(arena, draws, sizeof(*second));
	struct joint_space other = *space;
	struct joint_model pair = *model;
	double mean, variance = 0, second_mean;

	pair.options = 2;
	other.times = arena_array(arena, 2 * (size_t)draws, sizeof(*other.times));
	joint_times(&pair, "second", &other);
	logarithms(space->times, draws, first);
	logarithms(other.times, draws, second);
	mean = joint_chance_mean(first, draws);
	second_mean = joint_chance_mean(second, draws);
	for (uint32_t i = 0; i < draws; i++)
		variance += ((first[i] - mean) * (first[i] - mean) +
				    (second[i] - second_mean) * (second[i] - second_mean)) /
			    (2 * draws);
	joint->share_count = 0;
	for (uint32_t c = 0; variance > 1e-12 && c < model->count; c++) {
		const struct joint_cost *cost = &model->costs[c];
		if (cost->parts && (cost->parts[0] > 0 || cost->parts[1] > 0)) {
			struct joint_cost_share share =
				share_of(cost, space, first, second, second_mean, variance);
			keep_share(joint, &share);
		}
	}
}
