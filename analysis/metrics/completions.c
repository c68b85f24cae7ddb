/* Makes series of completions from operations, and finds the times at which the host knew of each
 * completion (completions.h). */
#include "analysis/metrics/completions.h"

#include <stdlib.h>
#include <string.h>

#include "base/table/alike.h"

enum { ROUNDS_LEAST = STEADY_LEAST + 1 }; /* number of waits that are needed for a rate of waits */

int64_t completed_at(const struct operation *operation)
{
	enum mark_point mark = metric_end(operation->marks, METRIC_LATENCY);

	return mark == MARK_POINT_COUNT ? -1 : operation->marks[mark].last;
}

int64_t known_at(const struct operations *operations, uint32_t index)
{
	uint32_t waiter = operations->waiter[index];

	return waiter < operations->count ? operations->at[waiter].marks[MARK_SEEN].last : -1;
}

int64_t transfer_time(const struct operation *operation)
{
	const struct op_mark *marks = operation->marks;
	bool stream = marks[MARK_DOORBELL].last < 0 && marks[MARK_GO].last >= 0;
	int64_t start = marks[stream ? MARK_GO : MARK_CALLED].first;
	int64_t end = completed_at(operation);

	return start >= 0 && end > start ? end - start : 0;
}

bool is_earlier_part(const struct operations *operations, uint32_t index)
{
	const struct operation *operation = &operations->at[index];
	uint32_t i = index + 1;

	while (i < operations->count && operation->queue + 1 < ALIKE_QUEUES &&
		strcmp(operations->at[i].thread, operation->thread) != 0)
		i++;
	return i < operations->count && operations->at[i].step == operation->step &&
	       operations->at[i].mesh_number == operation->mesh_number &&
	       operations->at[i].queue > operation->queue;
}

struct chosen chosen_of(
	const struct operations *operations, const char *subject, struct arena *arena)
{
	struct chosen chosen = {
		arena_array(arena, operations->count + 1, sizeof(uint32_t)), 0, UINT32_MAX};

	for (uint32_t i = 0; i < operations->count; i++) {
		if (!operation_is(&operations->at[i], subject))
			continue;
		if (!operations->at[i].warmup)
			chosen.at[chosen.count++] = i;
		else if (chosen.count == 0)
			chosen.warm = i;
	}
	return chosen;
}

static int by_time(const void *a, const void *b)
{
	const struct completion *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static uint64_t weight_of(const struct operation *operation, bool bytes)
{
	return bytes && operation->bytes ? operation->bytes : 1;
}

/* Adds an entry for an operation, unless the time is unknown (-1). */
static void add_entry(struct completions *series, const struct operation *operation, int64_t time,
	uint64_t weight)
{
	if (time >= 0)
		series->at[series->count++] =
			(struct completion){time, weight, operation->marks[MARK_CALLED].last};
}

static struct completions completions_new(const struct chosen *chosen, struct arena *arena)
{
	return (struct completions){
		.at = arena_array(arena, chosen->count + 2, sizeof(struct completion))};
}

struct completions completions_of_ends(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena)
{
	struct completions series = completions_new(chosen, arena);

	if (chosen->warm != UINT32_MAX)
		add_entry(&series, &operations->at[chosen->warm],
			completed_at(&operations->at[chosen->warm]), 1);
	for (uint32_t i = 0; i < chosen->count; i++) {
		const struct operation *operation = &operations->at[chosen->at[i]];

		if (!is_earlier_part(operations, chosen->at[i]))
			add_entry(&series, operation, completed_at(operation),
				weight_of(operation, bytes));
	}
	qsort(series.at, series.count, sizeof *series.at, by_time);
	series.steady = steady_find(series.at, series.count, operations->measured, arena);
	return series;
}

/* Returns true if the entries after the origin stand for at least half of the operations. */
static bool is_most(const struct completions *series)
{
	uint64_t weight = 0;

	for (uint32_t i = 1; i < series->count; i++)
		weight += series->at[i].weight;
	return weight > 0 && weight >= series->at[0].weight;
}

struct completions completions_of_waits(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena)
{
	struct completions series = completions_new(chosen, arena);
	bool rounds = true;

	if (chosen->warm != UINT32_MAX)
		add_entry(&series, &operations->at[chosen->warm],
			known_at(operations, chosen->warm), 1);
	for (uint32_t i = 0; i < chosen->count; i++) {
		const struct operation *operation = &operations->at[chosen->at[i]];
		int64_t time = known_at(operations, chosen->at[i]);
		uint64_t weight = weight_of(operation, bytes);

		if (is_earlier_part(operations, chosen->at[i]))
			continue;
		if (time < 0)
			return completions_of_ends(operations, chosen, bytes, arena);
		if (series.count > 0 && series.at[series.count - 1].time == time) {
			series.at[series.count - 1].weight += weight;
			series.at[series.count - 1].called = operation->marks[MARK_CALLED].last;
		} else {
			rounds &= series.count == 0 || operation->marks[MARK_CALLED].last >=
							       series.at[series.count - 1].time;
			add_entry(&series, operation, time, weight);
		}
	}
	if (series.count < ROUNDS_LEAST && rounds && is_most(&series))
		series.steady =
			steady_of_rounds(series.at, series.count, operations->measured, arena);
	if (series.steady.known)
		return series;
	if (series.count < ROUNDS_LEAST) {
		struct completions ends = completions_of_ends(operations, chosen, bytes, arena);

		if (ends.steady.known || !is_most(&series))
			return ends;
	}
	series.steady = steady_find(series.at, series.count, operations->measured, arena);
	return series;
}

uint64_t completions_weight(const struct completions *series, int64_t *duration)
{
	uint64_t weight = 0;

	*duration = series->steady.duration;
	if (series->steady.known)
		return series->steady.weight;
	*duration = series->count ? series->at[series->count - 1].time - series->at[0].time : 0;
	for (uint32_t i = 1; i < series->count; i++)
		weight += series->at[i].weight;
	return weight;
}
