/* Metrics of operations (metrics.h). Every percentile is a value that occurred, not an estimate. */
#include "bench/results/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table/alike.h"
#include "base/allocate.h"
#include "base/ensure.h"
#include "base/steady.h"
#include "bench/results/histogram.h"

enum { KINDS_MAX = 32, STEPS_MAX = 32, SUBJECTS_MAX = KINDS_MAX + STEPS_MAX, METRIC_MARKS_MAX = 8 };

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

enum metric_index {
#define X(NAME, name, from, what, ...) METRIC_##NAME,
#include "bench/results/metric.def"
#undef X
	METRIC_COUNT
};

int64_t metrics_start(const struct op_row *op)
{
	return op->arrival >= 0 ? op->arrival : op->marks[MARK_CALLED].first;
}

static int64_t metrics_value_of(const struct metric *metric, const struct op_row *op)
{
	int64_t called = metric == &metrics[METRIC_LATENCY] ? metrics_start(op)
							    : op->marks[MARK_CALLED].first;

	for (uint32_t i = 0; i < metric->mark_count; i++) {
		const struct op_mark *mark = &op->marks[metric->marks[i]];

		if (mark->count == 0)
			continue;
		/* Data are sent over time, so this would not measure skew between chips. */
		if (metric->from == FROM_FIRST && op->bytes > 0 &&
			metric->marks[i] == MARK_DISPATCHED)
			return -1;
		if (metric->from == FROM_FIRST)
			return mark->last - mark->first;
		return called < 0 || mark->last < called ? -1 : mark->last - called;
	}
	return -1;
}

const char *metric_name(uint32_t index)
{
	static const char *const more[] = {METRIC_COMPLETION_NAME, METRIC_ROUND_NAME, NULL};

	return index < METRIC_COUNT ? metrics[index].name : more[index - METRIC_COUNT];
}

uint32_t metric_count(void)
{
	return METRIC_COUNT;
}

int64_t metric_value(const struct op_row *op, uint32_t index)
{
	ensure(index < METRIC_COUNT, "metric %u", index);
	return metrics_value_of(&metrics[index], op);
}

int metric_end(const struct op_row *op, uint32_t index)
{
	const struct metric *metric = &metrics[index];

	for (uint32_t i = 0; i < metric->mark_count && metric->from == FROM_CALL; i++)
		if (op->marks[metric->marks[i]].count > 0)
			return metric->marks[i];
	return -1;
}

int64_t metric_round(const struct op_row *op, const struct op_row *next)
{
	int64_t called = op->marks[MARK_CALLED].first;
	int64_t again = next ? next->marks[MARK_CALLED].first : -1;

	return called < 0 || again < called ? -1 : again - called;
}

void metrics_next(const struct op_row *ops, uint32_t op_count, uint32_t *next)
{
	uint32_t *steps = allocate(op_count + 1, sizeof *steps);

	for (uint32_t i = 0; i < op_count; i++)
		steps[i] = alike_pair(ops[i].step_number, ops[i].mesh_number);
	alike_next(steps, op_count, next);
	free(steps);
}

void metrics_known(const struct op_row *ops, uint32_t op_count, int64_t *known)
{
	uint32_t *queues = allocate(op_count + 1, sizeof *queues);
	uint32_t *waiters = allocate(op_count + 1, sizeof *waiters);
	struct alike_seen *seen = allocate(op_count + 1, sizeof *seen);

	for (uint32_t i = 0; i < op_count; i++) {
		queues[i] = alike_pair(ops[i].queue, ops[i].mesh_number);
		seen[i] = (struct alike_seen){
			ops[i].marks[MARK_SEEN].count > 0, ops[i].part != 0, ops[i].sub_devices};
	}
	alike_teller(queues, seen, op_count, waiters);
	for (uint32_t i = 0; i < op_count; i++)
		known[i] = waiters[i] < op_count ? ops[waiters[i]].marks[MARK_SEEN].last : -1;
	free(seen);
	free(waiters);
	free(queues);
}

/* The last mark of an operation. */
static int64_t op_end(const struct op_row *op)
{
	int64_t end = op->marks[MARK_RETURNED].last;

	for (int i = 0; i < MARK_POINT_COUNT; i++)
		if (op->marks[i].last > end)
			end = op->marks[i].last;
	return end;
}

/* A group of operations with metrics: those of a kind, or of one of its steps. */
struct subject {
	const char *kind, *name; /* NULL: all of the kind */
};

struct subjects {
	struct subject at[SUBJECTS_MAX];
	uint32_t count;
	const struct op_row *ops;
	const char **names; /* of each operation */
	const int64_t *known;
	const uint32_t *next;
};

static const char *step_name_of(const struct step_names *steps, const struct op_row *op)
{
	return steps && steps->names && op->step_number < steps->count
		       ? steps->names[op->step_number]
		       : "";
}

/* The name of each operation's step; with its mesh if several meshes have steps of that name, since
 * figures never mix meshes. */
static const char **find_names(const struct step_names *steps, const struct op_row *ops,
	uint32_t op_count, struct arena *arena)
{
	const char **names = arena_array(arena, op_count + 1, sizeof *names);
	struct alike_owned *rows = allocate(op_count + 1, sizeof *rows);
	bool *shared = allocate(op_count + 1, sizeof *shared);

	for (uint32_t i = 0; i < op_count; i++) {
		names[i] = step_name_of(steps, &ops[i]);
		rows[i] = (struct alike_owned){ops[i].kind, names[i], ops[i].mesh_number};
	}
	alike_shared(rows, op_count, shared);
	for (uint32_t i = 0; i < op_count; i++)
		if (shared[i])
			names[i] = arena_printf(arena, "%s of %s", names[i], ops[i].mesh);
	free(shared);
	free(rows);
	return names;
}

static bool metrics_is_of(
	const struct subjects *subjects, const struct subject *subject, const struct op_row *op)
{
	return strcmp(op->kind, subject->kind) == 0 &&
	       (!subject->name || strcmp(subjects->names[op - subjects->ops], subject->name) == 0);
}

static bool is_known(const struct subjects *subjects, const char *kind, const char *name)
{
	for (uint32_t i = 0; i < subjects->count; i++)
		if (strcmp(subjects->at[i].kind, kind) == 0 &&
			(!name ||
				(subjects->at[i].name && strcmp(subjects->at[i].name, name) == 0)))
			return true;
	return false;
}

/* Kinds first, in the order of their first operations; then the steps of those with several. */
static void find_subjects(struct subjects *subjects, const struct op_row *ops, uint32_t op_count)
{
	struct subjects steps = {.count = 0};

	for (uint32_t i = 0; i < op_count; i++) {
		const char *name = subjects->names[i];

		if (!is_known(subjects, ops[i].kind, NULL)) {
			ensure(subjects->count < KINDS_MAX, "%u kinds", subjects->count);
			subjects->at[subjects->count++] = (struct subject){ops[i].kind, NULL};
		}
		if (!ops[i].warmup && steps.count < STEPS_MAX && *name &&
			!is_known(&steps, ops[i].kind, name))
			steps.at[steps.count++] = (struct subject){ops[i].kind, name};
	}
	for (uint32_t i = 0; i < steps.count; i++) {
		uint32_t alike = 0;

		for (uint32_t k = 0; k < steps.count; k++)
			alike += strcmp(steps.at[k].kind, steps.at[i].kind) == 0;
		if (alike > 1)
			subjects->at[subjects->count++] = steps.at[i];
	}
}

/* ---- rates ---- */

/* The time of completion: seen by the host, or written towards it, or done. */
static int64_t metrics_end_of(const struct op_row *op)
{
	int64_t value = metrics_value_of(&metrics[METRIC_LATENCY], op);

	return value < 0 ? -1 : metrics_start(op) + value;
}

/* The time during which an operation moves its payload; for a stream through the fabric from the
 * end of its warm-up on. */
static int64_t transfer_of(const struct op_row *op)
{
	bool stream = op->marks[MARK_DOORBELL].count == 0 && op->marks[MARK_GO].count > 0;
	int64_t start = op->marks[stream ? MARK_GO : MARK_CALLED].first, end = metrics_end_of(op);

	return start >= 0 && end > start ? end - start : 0;
}

static int by_time(const void *a, const void *b)
{
	const struct completion *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Rate per time of the entries after the first. */
static double rate_of(struct completion *series, uint32_t count, struct arena *arena)
{
	struct steady steady;
	uint64_t weight = 0;
	int64_t duration;

	qsort(series, count, sizeof *series, by_time);
	steady = steady_find(series, count, arena);
	for (uint32_t i = 1; i < count && !steady.known; i++)
		weight += series[i].weight;
	duration = steady.known ? steady.duration
		   : count > 1	? series[count - 1].time - series[0].time
				: 0;
	weight = steady.known ? steady.weight : weight;
	return duration > 0 ? (double)weight / ((double)duration * 1e-12) : 0;
}

/* Fills throughput and bandwidth. If operations do not overlap, bandwidth is the sum of bytes over
 * the sum of their transfer times; otherwise the rate at which bytes complete. */
static void add_rates(const struct subjects *subjects, const struct subject *subject,
	const struct op_row *ops, uint32_t op_count, struct kind_row *row)
{
	struct arena arena;
	int64_t last = -1;
	double moved = 0; /* ps of all of them, which may be more than a run can last */
	bool overlap = false;
	uint32_t count = 0;

	arena_init(&arena);
	struct completion *ends = arena_array(&arena, op_count + 1, sizeof *ends);
	struct completion *bytes = arena_array(&arena, op_count + 1, sizeof *bytes);
	for (uint32_t i = 0; i < op_count; i++) {
		const struct op_row *op = &ops[i];
		bool origin = op->warmup; /* the last warm-up operation starts the clock */

		if (!metrics_is_of(subjects, subject, op) || metrics_end_of(op) < 0 ||
			(origin && count > 1))
			continue;
		if (origin)
			count = 0;
		overlap |= !origin && count > 0 && op->marks[MARK_CALLED].first < last;
		last = metrics_end_of(op);
		moved += origin ? 0 : (double)transfer_of(op);
		ends[count] = (struct completion){metrics_end_of(op), 1};
		bytes[count++] = (struct completion){metrics_end_of(op), op->bytes ? op->bytes : 1};
	}
	row->throughput = rate_of(ends, count, &arena);
	if (row->bytes > 0 && overlap)
		row->bandwidth = rate_of(bytes, count, &arena);
	else if (row->bytes > 0 && moved > 0)
		row->bandwidth = (double)row->bytes / (moved * 1e-12);
	arena_fini(&arena);
}

static void count_kinds(struct metrics *out, const struct subjects *subjects,
	const struct op_row *ops, uint32_t op_count)
{
	for (uint32_t s = 0; s < subjects->count; s++) {
		const struct subject *subject = &subjects->at[s];
		struct kind_row *kind = &out->kinds[out->kind_count++];

		*kind = (struct kind_row){.first = -1, .last = -1};
		snprintf(kind->kind, sizeof kind->kind, "%s%s%s", subject->kind,
			subject->name ? "/" : "", subject->name ? subject->name : "");
		for (uint32_t i = 0; i < op_count; i++) {
			const struct op_row *op = &ops[i];
			int64_t called = op->marks[MARK_CALLED].first, end = op_end(op);

			if (!metrics_is_of(subjects, subject, op))
				continue;
			kind->warmup += op->warmup;
			if (op->warmup)
				continue;
			kind->operations++;
			kind->bytes += op->bytes;
			if (called >= 0 && (kind->first < 0 || called < kind->first))
				kind->first = called;
			kind->last = end > kind->last ? end : kind->last;
		}
		add_rates(subjects, subject, ops, op_count, kind);
	}
}

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t metrics_percentile(const int64_t *sorted, uint32_t count, uint32_t per_mille)
{
	uint64_t rank = ((uint64_t)count * per_mille + 999) / 1000;

	return sorted[rank ? rank - 1 : 0];
}

/* Makes room for the distinct buckets of `sorted` after the rows so far. */
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

/* Adds a metric of `count` > 0 `values` in any order; sorts them. */
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
	row->p50 = metrics_percentile(values, count, 500);
	row->p90 = metrics_percentile(values, count, 900);
	row->p99 = metrics_percentile(values, count, 990);
	row->p99_9 = metrics_percentile(values, count, 999);
	row->max = values[count - 1];
	row->min = values[0];
	row->mean = sum / count;
	add_histogram(out, row, values, count, arena);
}

/* The value of any metric for operation `index`: one of metric.def, or one of several operations.
 */
static int64_t any_value(const struct subjects *subjects, const struct op_row *ops,
	uint32_t op_count, uint32_t index, uint32_t metric)
{
	const struct op_row *op = &ops[index];
	int64_t called = metrics_start(op), known = subjects->known[index];

	if (metric < METRIC_COUNT)
		return metrics_value_of(&metrics[metric], op);
	if (metric == METRIC_COUNT)
		return called < 0 || known < called ? -1 : known - called;
	return metric_round(
		op, subjects->next[index] < op_count ? &ops[subjects->next[index]] : NULL);
}

static void compute_metrics(struct metrics *out, const struct subjects *subjects,
	const struct op_row *ops, uint32_t op_count, struct arena *arena)
{
	int64_t *values = malloc((op_count ? op_count : 1) * sizeof *values);

	ensure_memory(values, "%u values", op_count);
	for (uint32_t s = 0; s < subjects->count; s++) {
		for (uint32_t m = 0; metric_name(m); m++) {
			uint32_t count = 0;

			for (uint32_t i = 0; i < op_count; i++) {
				if (ops[i].warmup ||
					!metrics_is_of(subjects, &subjects->at[s], &ops[i]))
					continue;
				values[count] = any_value(subjects, ops, op_count, i, m);
				count += values[count] >= 0;
			}
			if (count)
				add_metric(out, out->kinds[s].kind, metric_name(m), values, count,
					arena);
		}
	}
	free(values);
}

void metrics_compute(struct metrics *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena)
{
	int64_t *known = allocate(op_count + 1, sizeof *known);
	uint32_t *next = allocate(op_count + 1, sizeof *next);
	struct subjects subjects = {.ops = ops, .known = known, .next = next};

	memset(out, 0, sizeof *out);
	metrics_next(ops, op_count, next);
	metrics_known(ops, op_count, known);
	subjects.names = find_names(steps, ops, op_count, arena);
	find_subjects(&subjects, ops, op_count);
	out->kinds = arena_array(arena, subjects.count + 1, sizeof *out->kinds);
	count_kinds(out, &subjects, ops, op_count);
	out->metrics = arena_array(
		arena, (size_t)(subjects.count + 1) * (METRIC_COUNT + 2), sizeof *out->metrics);
	compute_metrics(out, &subjects, ops, op_count, arena);
	free(next);
	free(known);
}
