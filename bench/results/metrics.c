/* Metrics of operations, see bench/results/metrics.h. Refuses estimates: every percentile is a
 * value that occurred. */
#include "bench/results/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "bench/results/histogram.h"

enum { KINDS_MAX = 32, METRIC_MARKS_MAX = 8 };

enum metric_from { FROM_CALL, FROM_FIRST };

struct metric {
	const char *name;
	enum metric_from from;
	enum mark_point marks[METRIC_MARKS_MAX]; /* the first that was passed ends it */
	uint32_t mark_count;
};

static const struct metric metrics[] = {
#define X(NAME, name, from, what, ...)                                                             \
	{name, FROM_##from, {__VA_ARGS__},                                                         \
		sizeof((enum mark_point[]){__VA_ARGS__}) / sizeof(enum mark_point)},
#include "bench/results/metric.def"
#undef X
};

enum { METRIC_COUNT = sizeof metrics / sizeof *metrics };

static int64_t value_of(const struct metric *metric, const struct op_row *op)
{
	int64_t called = op->marks[MARK_CALLED].first;

	for (uint32_t i = 0; i < metric->mark_count; i++) {
		const struct op_mark *mark = &op->marks[metric->marks[i]];

		if (mark->count == 0)
			continue;
		if (metric->from == FROM_FIRST)
			return mark->last - mark->first;
		return called < 0 || mark->last < called ? -1 : mark->last - called;
	}
	return -1;
}

const char *metric_name(uint32_t index)
{
	return index < METRIC_COUNT ? metrics[index].name : NULL;
}

int64_t metric_value(const struct op_row *op, uint32_t index)
{
	ensure(index < METRIC_COUNT, "metric %u", index);
	return value_of(&metrics[index], op);
}

int64_t metric_round(const struct op_row *op, const struct op_row *next)
{
	int64_t called = op->marks[MARK_CALLED].first;
	int64_t again = next ? next->marks[MARK_CALLED].first : -1;

	return called < 0 || again < called ? -1 : again - called;
}

/* Last moment of an operation's life that was seen anywhere. */
static int64_t op_end(const struct op_row *op)
{
	int64_t end = op->marks[MARK_RETURNED].last;

	for (int i = 0; i < MARK_POINT_COUNT; i++)
		if (op->marks[i].last > end)
			end = op->marks[i].last;
	return end;
}

static struct kind_row *find_kind(struct metrics *out, const char *kind)
{
	for (uint32_t i = 0; i < out->kind_count; i++)
		if (strcmp(out->kinds[i].kind, kind) == 0)
			return &out->kinds[i];
	return NULL;
}

static void count_kinds(struct metrics *out, const struct op_row *ops, uint32_t op_count)
{
	for (uint32_t i = 0; i < op_count; i++) {
		const struct op_row *op = &ops[i];
		struct kind_row *kind = find_kind(out, op->kind);

		if (!kind) {
			ensure(out->kind_count < KINDS_MAX, "%u kinds", out->kind_count);
			kind = &out->kinds[out->kind_count++];
			*kind = (struct kind_row){.first = -1, .last = -1};
			snprintf(kind->kind, sizeof kind->kind, "%s", op->kind);
		}
		if (op->warmup) {
			kind->warmup++;
			continue;
		}
		kind->operations++;
		kind->bytes += op->bytes;

		int64_t called = op->marks[MARK_CALLED].first, end = op_end(op);

		if (called >= 0 && (kind->first < 0 || called < kind->first))
			kind->first = called;
		if (end > kind->last)
			kind->last = end;
	}
	for (uint32_t i = 0; i < out->kind_count; i++) {
		struct kind_row *kind = &out->kinds[i];
		double seconds = (double)(kind->last - kind->first) * 1e-12;

		if (kind->first >= 0 && seconds > 0) {
			kind->throughput = (double)kind->operations / seconds;
			kind->bandwidth = (double)kind->bytes / seconds;
		}
	}
}

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t percentile(const int64_t *sorted, uint32_t count, uint32_t per_mille)
{
	uint64_t rank = ((uint64_t)count * per_mille + 999) / 1000;

	return sorted[rank ? rank - 1 : 0];
}

/* Makes room for the distinct buckets of `sorted` behind the rows so far. */
static void grow_histograms(
	struct metrics *out, const int64_t *sorted, uint32_t count, struct arena *arena)
{
	uint32_t distinct = count > 0;

	for (uint32_t i = 1; i < count; i++)
		distinct += histogram_bucket(sorted[i]) != histogram_bucket(sorted[i - 1]);

	struct histogram_row *rows =
		arena_array(arena, out->histogram_count + distinct, sizeof *rows);

	if (out->histogram_count)
		memcpy(rows, out->histograms, out->histogram_count * sizeof *rows);
	out->histograms = rows;
}

static void add_histogram(struct metrics *out, const struct metric_row *row, const int64_t *sorted,
	uint32_t count, struct arena *arena)
{
	uint32_t last = UINT32_MAX;

	grow_histograms(out, sorted, count, arena);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t bucket = histogram_bucket(sorted[i]);

		if (bucket != last) {
			struct histogram_row *h = &out->histograms[out->histogram_count++];

			memcpy(h->kind, row->kind, sizeof h->kind);
			memcpy(h->metric, row->metric, sizeof h->metric);
			h->lower = histogram_lower(bucket);
			h->upper = histogram_upper(bucket);
			h->count = 0;
			last = bucket;
		}
		out->histograms[out->histogram_count - 1].count++;
	}
}

/* `values` has `count` > 0 of them, in any order; sorts them. */
static void add_metric(struct metrics *out, const char *kind, const char *name, int64_t *values,
	uint32_t count, struct arena *arena)
{
	struct metric_row *row = &out->metrics[out->metric_count++];
	double sum = 0;

	qsort(values, count, sizeof *values, compare_values);
	for (uint32_t i = 0; i < count; i++)
		sum += (double)values[i];
	snprintf(row->kind, sizeof row->kind, "%s", kind);
	snprintf(row->metric, sizeof row->metric, "%s", name);
	row->count = count;
	row->p50 = percentile(values, count, 500);
	row->p90 = percentile(values, count, 900);
	row->p99 = percentile(values, count, 990);
	row->p99_9 = percentile(values, count, 999);
	row->max = values[count - 1];
	row->min = values[0];
	row->mean = sum / count;
	add_histogram(out, row, values, count, arena);
}

void metrics_compute(
	struct metrics *out, const struct op_row *ops, uint32_t op_count, struct arena *arena)
{
	int64_t *values = malloc((op_count ? op_count : 1) * sizeof *values);

	ensure(values, "no memory for %u values", op_count);
	memset(out, 0, sizeof *out);
	out->kinds = arena_array(arena, KINDS_MAX, sizeof *out->kinds);
	count_kinds(out, ops, op_count);
	out->metrics =
		arena_array(arena, (size_t)out->kind_count * METRIC_COUNT, sizeof *out->metrics);
	for (uint32_t k = 0; k < out->kind_count; k++) {
		for (uint32_t m = 0; m < METRIC_COUNT; m++) {
			uint32_t count = 0;

			for (uint32_t i = 0; i < op_count; i++) {
				if (ops[i].warmup || strcmp(ops[i].kind, out->kinds[k].kind) != 0)
					continue;
				values[count] = value_of(&metrics[m], &ops[i]);
				count += values[count] >= 0;
			}
			if (count)
				add_metric(out, out->kinds[k].kind, metrics[m].name, values, count,
					arena);
		}
	}
	free(values);
}
