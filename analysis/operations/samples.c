/* Takes samples of metrics (measure.h). A percentile is always one of the values; there is no
 * interpolation between two values. */
#include "analysis/operations/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/table/order.h"

enum { KINDS_MAX = 64 };

/* Counts how often each name occurs. Names after the first KINDS_MAX are not counted. */
struct tally {
	const char *names[KINDS_MAX];
	uint32_t counts[KINDS_MAX], count, most;
};

static void tally_add(struct tally *tally, const char *name)
{
	uint32_t k = 0;

	while (k < tally->count && strcmp(tally->names[k], name) != 0)
		k++;
	if (k == KINDS_MAX)
		return;
	if (k == tally->count) {
		tally->names[k] = name;
		tally->counts[tally->count++] = 0;
	}
	if (++tally->counts[k] > tally->counts[tally->most])
		tally->most = k;
}

/* Returns true for kinds of operations that only wait for other operations. A run may have more of
 * them than of the operations that do the work: for example, a finish of a mesh is an operation on
 * each command queue. */
static bool only_waits(const char *kind)
{
	return strcmp(kind, "finish") == 0 || strcmp(kind, "wait_event") == 0;
}

const char *samples_kind(const struct operations *operations)
{
	struct tally kinds = {.count = 0}, waits = {.count = 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		if (operation->warmup)
			continue;
		if (strcmp(operation->kind, "enqueue_workload") == 0)
			return operation->kind;
		tally_add(only_waits(operation->kind) ? &waits : &kinds, operation->kind);
	}
	if (kinds.count == 0)
		kinds = waits;
	return kinds.count ? kinds.names[kinds.most] : "";
}

const char *samples_subject(
	const struct operations *operations, const char *kind, struct arena *arena)
{
	struct tally steps = {.count = 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		if (!operation->warmup && strcmp(operation->kind, kind) == 0)
			tally_add(&steps, operation->step_name);
	}
	if (steps.count < 2 || steps.names[steps.most][0] == '\0')
		return kind;
	return arena_printf(arena, "%s/%s", kind, steps.names[steps.most]);
}

enum metric samples_metric(const struct operations *operations, const char *kind)
{
	uint32_t rounds = 0, long_ones = 0;

	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t round = -1;

		if (!operations->at[i].warmup && operation_is(&operations->at[i], kind))
			round = metric_value(operations, i, METRIC_ROUND);
		rounds += round >= 0;
		long_ones += round > 0;
	}
	return rounds > 0 && 2 * long_ones >= rounds ? METRIC_ROUND : METRIC_LATENCY;
}

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

struct samples samples_take(const struct operations *operations, const char *kind,
	enum metric metric, struct arena *arena)
{
	struct samples samples = {arena_array(arena, operations->count, sizeof(struct sample)), 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t value;
		if (operations->at[i].warmup || !operation_is(&operations->at[i], kind))
			continue;
		value = metric_value(operations, i, metric);
		if (value >= 0)
			samples.at[samples.count++] = (struct sample){value, i};
	}
	qsort(samples.at, samples.count, sizeof(*samples.at), compare_samples);
	return samples;
}

const struct sample *samples_at(const struct samples *samples, uint32_t per_mille)
{
	ensure(samples->count > 0, "percentile of nothing");
	return &samples->at[rank_at(samples->count, per_mille)];
}

bool samples_sum(const struct operations *operations, const struct samples *samples,
	enum metric metric, struct split *sum, int64_t *total)
{
	bool good = true;

	memset(sum, 0, sizeof(*sum));
	*total = 0;
	for (uint32_t i = 0; i < samples->count; i++) {
		struct split split;
		*total += samples->at[i].value;
		good &= path_split(operations, samples->at[i].index, metric, &split);
		for (int s = 0; good && s < STAGE_COUNT; s++)
			sum->time[s] += split.time[s];
	}
	return good;
}
