/* Cuts warm-up and drain off a series of completions, see completions.h. */
#include "analysis/metrics/completions.h"

enum { BATCHES_MAX = 64 };

struct batch {
	int64_t duration;
	uint64_t weight;
	uint32_t end; /* index of its last entry */
};

static double interval(const struct batch *batch)
{
	return (double)batch->duration / (double)batch->weight;
}

/* Squared standard error of the mean interval of batches [from, to). */
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

/* Returns the best number of batches to cut from the front of [0, count). Tries up to `most` + 1
 * batches. The result `most` + 1 means that more than the allowed number would have to be cut. */
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

struct steady steady_find(const struct completion *series, uint32_t count, struct arena *arena)
{
	struct batch *batches = arena_array(arena, BATCHES_MAX + 1, sizeof(*batches));
	struct steady steady = {.needed = 2 * STEADY_LEAST};
	uint32_t made, front, end;

	if (count < STEADY_LEAST + 1)
		return steady;
	made = make_batches(series, count, batches);
	front = cut_front(batches, made, made / 2);
	end = front > made / 2 ? 0 : cut_end(batches, front, made, made / 4);
	steady.first = front ? batches[front - 1].end : 0;
	steady.last = batches[made - end - 1].end;
	steady.known = front <= made / 2 && steady.last - steady.first >= STEADY_LEAST;
	steady.duration = series[steady.last].time - series[steady.first].time;
	for (uint32_t i = steady.first + 1; i <= steady.last; i++)
		steady.weight += series[i].weight;
	steady.known &= steady.duration > 0;
	/* An estimate, which assumes that the part to cut stays as long if more completions are
	 * added. If the series has not settled, the estimate is twice as many completions, which
	 * will show whether it settles at all. */
	steady.needed = steady.known	   ? 0
			: front > made / 2 ? 2 * count
					   : count - (steady.last - steady.first) + STEADY_LEAST;
	return steady;
}
