/* Removes warm-up and drain from a series of completions (see completions.h). */
#include "analysis/metrics/completions.h"

#include <math.h>

enum { BATCHES_MAX = 64 };

/* Two parts of a series have the same rate if their mean intervals differ by at most this share. A
 * rate that is wrong by this share changes the comparison of two designs by at most half of the
 * smallest margin that `compare` reports. */
#define SETTLED 0.0025

/* Two halves of a series have the same rate if one of two conditions is true. First, their mean
 * intervals differ by at most a share: by SETTLED in simulated series, and by SETTLED_MEASURED in
 * series that were measured on a machine. There, the rate of a thread changes by about this share,
 * because caches fill during a run; it changes in the same way in all repetitions. Second, the
 * mean intervals differ by at most SETTLED_ERRORS standard errors. Noise alone exceeds this in one
 * of a hundred series. */
#define SETTLED_MEASURED 0.05
#define SETTLED_ERRORS	 2.6

/* A part is a burst if its calls took more than BURST times as long as its completions. Work had
 * then piled up before the part. The factor is well above 1 because calls may come in batches. The
 * time of the calls may then include one more gap between batches than the time of the completions.
 */
#define BURST 2

struct batch {
	int64_t duration;
	uint64_t weight;
	uint32_t end; /* index of the last entry of the batch */
};

static double interval(const struct batch *batch)
{
	return (double)batch->duration / (double)batch->weight;
}

/* Returns the squared standard error of the mean interval of batches [from, to). */
static double squared_error(const struct batch *batches, uint32_t from, uint32_t to)
{
	double count = to - from, mean = 0, squares = 0;

	for (uint32_t i = from; i < to; i++)
		mean += interval(&batches[i]) / count;
	for (uint32_t i = from; i < to; i++)
		squares += (interval(&batches[i]) - mean) * (interval(&batches[i]) - mean);
	return squares / (count * count);
}

static uint32_t make_batches(const struct completion *series, uint32_t count, struct batch *batches)
{
	uint32_t each = (count - 1 + BATCHES_MAX - 1) / BATCHES_MAX, made = 0;

	for (uint32_t start = 0; start + each < count; start += each) {
		struct batch *batch = &batches[made++];
		*batch = (struct batch){.end = start + each};
		batch->duration = series[batch->end].time - series[start].time;
		for (uint32_t i = start + 1; i <= batch->end; i++)
			batch->weight += series[i].weight;
	}
	return made;
}

/* Returns how many of the first `count` batches to cut off at the front, so that the error is
 * smallest. Cuts off at most `most` + 1 batches. */
static uint32_t cut_front(const struct batch *batches, uint32_t count, uint32_t most)
{
	double least = squared_error(batches, 0, count);
	uint32_t cut = 0;

	for (uint32_t i = 1; i <= most + 1 && i + 2 < count; i++) {
		double error = squared_error(batches, i, count);
		if (error >= least)
			continue;
		least = error;
		cut = i;
	}
	return cut;
}

static uint32_t cut_end(const struct batch *batches, uint32_t from, uint32_t count, uint32_t most)
{
	double least = squared_error(batches, from, count);
	uint32_t cut = 0;

	for (uint32_t i = 1; i <= most && from + i + 2 < count; i++) {
		double error = squared_error(batches, from, count - i);
		if (error >= least)
			continue;
		least = error;
		cut = i;
	}
	return cut;
}

/* Sets the steady part to the entries after `first`, up to `last`. */
static void take(
	const struct completion *series, uint32_t first, uint32_t last, struct steady *steady)
{
	*steady = (struct steady){.known = true,
		.first = first,
		.last = last,
		.duration = series[last].time - series[first].time};
	for (uint32_t i = first + 1; i <= last; i++)
		steady->weight += series[i].weight;
}

/* If the mean interval of the entries after `first`, up to `last`, differs from `mean` by at most
 * the share SETTLED, makes these entries the steady part and returns true. Otherwise returns
 * false. */
static bool take_part(const struct completion *series, uint32_t first, uint32_t last, double mean,
	struct steady *steady)
{
	struct steady part;

	take(series, first, last, &part);
	if (fabs((double)part.duration / (double)part.weight - mean) > SETTLED * mean)
		return false;
	*steady = part;
	return true;
}

/* The batches [front, end) are left after cutting. Called if they are too few or begin too late. A
 * cut minimizes the standard error of the mean interval. So it may remove most of a series that has
 * no warm-up at all, and whose rate varies only by a thousandth. If the whole series has the rate
 * of [front, end), takes the whole series. Otherwise considers the parts of the series that begin
 * in its first half, end in its last quarter, and have at least STEADY_LEAST entries. Takes the
 * part with the least error if this part has the rate of [front, end). */
static void take_more(const struct completion *series, const struct batch *batches, uint32_t made,
	uint32_t front, uint32_t end, struct steady *steady)
{
	uint32_t count = batches[made - 1].end, best = UINT32_MAX, best_end = 0;
	int64_t duration = 0;
	double weight = 0, least = INFINITY;

	for (uint32_t i = front; i < end; i++) {
		duration += batches[i].duration;
		weight += (double)batches[i].weight;
	}
	if (duration <= 0 || take_part(series, 0, count, (double)duration / weight, steady))
		return;
	for (uint32_t i = 0; i <= made / 2; i++)
		for (uint32_t k = made; k + made / 4 >= made && k > i + 2; k--) {
			double error = squared_error(batches, i, k);
			uint32_t first = i ? batches[i - 1].end : 0;
			if (error >= least || batches[k - 1].end - first < STEADY_LEAST)
				continue;
			least = error;
			best = first;
			best_end = batches[k - 1].end;
		}
	if (best != UINT32_MAX)
		take_part(series, best, best_end, (double)duration / weight, steady);
}

/* True if the two halves of the batches [from, to) have the same rate: their mean intervals differ
 * by at most SETTLED_ERRORS standard errors, or by at most the share `most` of the first half's
 * mean interval. */
static bool halves_agree(const struct batch *batches, uint32_t from, uint32_t to, double most)
{
	uint32_t middle = from + (to - from) / 2;
	double first = 0, second = 0, error;

	for (uint32_t i = from; i < middle; i++)
		first += interval(&batches[i]) / (middle - from);
	for (uint32_t i = middle; i < to; i++)
		second += interval(&batches[i]) / (to - middle);
	error = sqrt(squared_error(batches, from, middle) + squared_error(batches, middle, to));
	return fabs(first - second) <= fmax(SETTLED_ERRORS * error, most * first);
}

/* Returns the number of entries in the batches [from, to). */
static uint32_t entries_of(const struct batch *batches, uint32_t from, uint32_t to)
{
	return batches[to - 1].end - (from ? batches[from - 1].end : 0);
}

/* Tries to find a steady part in a series that was measured on a machine. In such a series, some
 * intervals are long, for example when memory is touched for the first time or when another program
 * runs. The part with the least standard error often begins after the last long interval, and is
 * then too short. So only parts with at least STEADY_LEAST entries are considered. First chooses
 * the start, so that the part from there to the end of the series has the least error. Then cuts up
 * to a quarter of all batches from the end, if this makes the error less. The result is the steady
 * part, if its two halves have about the same rate. */
static void take_behind_warm_up(const struct completion *series, const struct batch *batches,
	uint32_t made, struct steady *steady)
{
	double least = INFINITY, error;
	uint32_t from = 0, to = made;

	for (uint32_t i = 0; i < made && entries_of(batches, i, made) >= STEADY_LEAST; i++) {
		error = squared_error(batches, i, made);
		from = error < least ? i : from;
		least = fmin(least, error);
	}
	for (uint32_t k = made;
		k + made / 4 >= made && k > from && entries_of(batches, from, k) >= STEADY_LEAST;
		k--) {
		error = squared_error(batches, from, k);
		to = error < least ? k : to;
		least = fmin(least, error);
	}
	if (halves_agree(batches, from, to, SETTLED_MEASURED))
		take(series, from ? batches[from - 1].end : 0, batches[to - 1].end, steady);
}

struct steady steady_of_rounds(
	const struct completion *series, uint32_t count, bool measured, struct arena *arena)
{
	struct batch *batches = arena_array(arena, BATCHES_MAX + 1, sizeof(*batches));
	struct steady steady = {.needed = 2 * STEADY_LEAST};
	uint32_t made;

	if (count < STEADY_ROUNDS_LEAST + 1)
		return steady;
	for (uint32_t i = 2; i < count; i++)
		if (series[i].weight != series[1].weight)
			return steady;
	made = make_batches(series, count, batches);
	if (halves_agree(batches, 0, made, measured ? SETTLED_MEASURED : SETTLED))
		take(series, 0, count - 1, &steady);
	return steady;
}

/* True if the calls of the part took more than BURST times as long as its completions. */
static bool is_burst(const struct completion *series, const struct steady *steady)
{
	int64_t called = series[steady->last].called - series[steady->first].called;

	return (double)called > BURST * (double)steady->duration;
}

struct steady steady_find(
	const struct completion *series, uint32_t count, bool measured, struct arena *arena)
{
	struct batch *batches = arena_array(arena, BATCHES_MAX + 1, sizeof(*batches));
	struct steady steady = {.needed = 2 * STEADY_LEAST};
	uint32_t made, front, end;

	if (count < STEADY_LEAST + 1)
		return steady;
	made = make_batches(series, count, batches);
	front = cut_front(batches, made, made / 2);
	end = front > made / 2 ? 0 : cut_end(batches, front, made, made / 4);
	take(series, front ? batches[front - 1].end : 0, batches[made - end - 1].end, &steady);
	steady.known = front <= made / 2 && steady.last - steady.first >= STEADY_LEAST;
	if (!steady.known)
		take_more(series, batches, made, front, made - end, &steady);
	if (!steady.known && measured)
		take_behind_warm_up(series, batches, made, &steady);
	steady.known &= steady.duration > 0 && !is_burst(series, &steady);
	/* Estimates how many completions are needed. If the rate has not settled, asks for twice as
	 * many, which may show whether it settles at all. If the rate has settled, asks only for
	 * the completions that are missing after those of the unsteady start are left out. */
	steady.needed = steady.known ? 0
			: front > made / 2 || is_burst(series, &steady)
				? 2 * count
				: count - (steady.last - steady.first) + STEADY_LEAST;
	return steady;
}
