/* Metrics of operations (metrics.h). Every percentile is a value that occurred, not an estimate. */
#include "bench/results/metrics.h"

#include <stdio.h>
#include <string.h>

#include "analysis/metrics/completions.h"
#include "base/ensure.h"
#include "base/table/alike.h"
#include "base/table/order.h"

enum { KINDS_MAX = 32, STEPS_MAX = 32, SUBJECTS_MAX = KINDS_MAX + STEPS_MAX };

static const char *step_name_of(const struct step_names *steps, const struct op_row *op)
{
	return steps && steps->names && op->step_number < steps->count
		       ? steps->names[op->step_number]
		       : "";
}

void metrics_operations(struct operations *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena)
{
	*out = (struct operations){
		.at = arena_array(arena, op_count + 1, sizeof *out->at), .count = op_count};
	for (uint32_t i = 0; i < op_count; i++) {
		const struct op_row *op = &ops[i];

		out->at[i] = (struct operation){.kind = op->kind,
			.thread = op->thread,
			.mesh = op->mesh,
			.step_name = step_name_of(steps, op),
			.program = op->program,
			.step = op->step_number,
			.iteration = op->iteration,
			.queue = op->queue,
			.mesh_number = op->mesh_number,
			.part = op->part != 0,
			.sub_devices = op->sub_devices,
			.awaits = op->awaits,
			.bytes = op->bytes,
			.arrival = op->arrival,
			.cpu_called = op->cpu_called,
			.cpu_returned = op->cpu_returned,
			.cpu_complete = op->cpu_complete,
			.others_called = op->others_called,
			.others_returned = op->others_returned,
			.others_complete = op->others_complete,
			.warmup = op->warmup != 0,
			.marks = op->marks,
			.built = op->build_time,
			.told = op->expect_time,
			.copied = op->copy_time,
			.rung = op->doorbell_time};
	}
	operations_link(out, arena);
	operations_name(out, arena);
}

static struct alike_seen seen_of(const struct op_row *op)
{
	return (struct alike_seen){
		op->marks[MARK_SEEN].count > 0, op->part != 0, op->sub_devices, op->awaits};
}

static bool is_on_queue(const struct op_row *op, const struct op_row *other)
{
	return other->queue == op->queue && other->mesh_number == op->mesh_number;
}

static bool ends_completion(const struct op_row *op, const struct op_row *later)
{
	return is_on_queue(op, later) &&
	       (later == op ? seen_of(op).seen : alike_tells(seen_of(later), seen_of(op)));
}

/* Returns true if `wait` waits for an event that shows that operation `index` is complete. Either
 * operation `index` itself recorded the event, or a later operation of the same queue that ends
 * only after operation `index`. */
static bool is_awaited(
	const struct op_row *rows, uint32_t index, uint32_t count, const struct op_row *wait)
{
	uint32_t record = wait->awaits - 1; /* UINT32_MAX: `wait` waits for no event */

	return record >= index && record < count &&
	       (record == index ||
		       (is_on_queue(&rows[index], &rows[record]) &&
			       alike_follows(seen_of(&rows[record]), seen_of(&rows[index]))));
}

/* If operation `index` belongs to a replay of a trace, and the host sees the end of the replay,
 * returns the row of the replay. Otherwise returns `index`. The row of a replay comes before the
 * rows of its operations, and has the same thread and time of call. */
static uint32_t seen_replay_of(const struct op_row *rows, uint32_t index)
{
	const struct op_row *op = &rows[index];

	for (uint32_t i = index; i-- > 0 && i + METRIC_NEAR > index;) {
		if (rows[i].marks[MARK_CALLED].last != op->marks[MARK_CALLED].last)
			break;
		if (operation_is_replay(rows[i].kind) && strcmp(rows[i].thread, op->thread) == 0)
			return seen_of(&rows[i]).seen ? i : index;
	}
	return index;
}

uint32_t metric_completed_by(const struct op_row *rows, uint32_t index, uint32_t count)
{
	/* operation `index`, and operations of other queues that wait until it is complete */
	uint32_t behind[METRIC_NEAR], waits = 1, replay = seen_replay_of(rows, index);

	if (replay != index)
		return replay;

	behind[0] = index;
	for (uint32_t next = index; next < count && next < index + METRIC_NEAR; next++) {
		uint32_t before = waits;

		for (uint32_t i = 0; rows[next].awaits > 0 && i < before && waits == before; i++)
			if (is_awaited(rows, behind[i], next, &rows[next]))
				behind[waits++] = next;
		for (uint32_t i = 0; i < waits; i++)
			if (ends_completion(&rows[behind[i]], &rows[next]))
				return next;
	}
	return count;
}

/* ---- subjects: groups of operations with metrics, those of a kind or of one of its steps ---- */

struct subjects {
	const char *at[SUBJECTS_MAX]; /* "KIND" or "KIND/NAME" */
	uint32_t count;
};

static bool is_known(const struct subjects *subjects, const struct operation *operation)
{
	for (uint32_t i = 0; i < subjects->count; i++)
		if (operation_is(operation, subjects->at[i]))
			return true;
	return false;
}

/* Returns the number of subjects of the same kind as `subject`. */
static uint32_t metrics_alike(const struct subjects *subjects, const char *subject)
{
	size_t length = strcspn(subject, "/");
	uint32_t count = 0;

	for (uint32_t i = 0; i < subjects->count; i++)
		count += strcspn(subjects->at[i], "/") == length &&
			 strncmp(subjects->at[i], subject, length) == 0;
	return count;
}

/* Sets `subjects` to all groups of operations that have metrics. The kinds of operations come
 * first, in the order of their first operations. If a kind has several steps, all its steps
 * follow. */
static void find_subjects(
	struct subjects *subjects, const struct operations *operations, struct arena *arena)
{
	struct subjects steps = {.count = 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (!is_known(subjects, operation)) {
			ensure(subjects->count < KINDS_MAX, "%u kinds", subjects->count);
			subjects->at[subjects->count++] = operation->kind;
		}
		if (!operation->warmup && steps.count < STEPS_MAX && *operation->step_name &&
			!is_known(&steps, operation))
			steps.at[steps.count++] =
				arena_printf(arena, "%s/%s", operation->kind, operation->step_name);
	}
	for (uint32_t i = 0; i < steps.count; i++)
		if (metrics_alike(&steps, steps.at[i]) > 1)
			subjects->at[subjects->count++] = steps.at[i];
}

/* ---- rates ---- */

/* Returns the rate per second of all entries after the first. */
static double rate_of(const struct completions *series)
{
	int64_t duration;
	uint64_t weight = completions_weight(series, &duration);

	return duration > 0 ? (double)weight / ((double)duration * 1e-12) : 0;
}

/* Returns the completed operations of a subject, without those of the warm-up. Also returns the
 * last warm-up operation, because the measured time begins when it completes. If exactly one
 * operation precedes the warm-up, for example a call before the loop, it is left out. If several
 * operations precede the warm-up, they are returned, and no warm-up operation is returned. */
static struct chosen choose_complete(
	const struct operations *operations, const char *subject, struct arena *arena)
{
	struct chosen chosen = {
		arena_array(arena, operations->count + 1, sizeof *chosen.at), 0, UINT32_MAX};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (!operation_is(operation, subject) || completed_at(operation) < 0)
			continue;
		if (!operation->warmup)
			chosen.at[chosen.count++] = i;
		else if (chosen.count + (chosen.warm != UINT32_MAX) <= 1)
			chosen = (struct chosen){chosen.at, 0, i};
	}
	return chosen;
}

/* Sets throughput and bandwidth of `row`. If operations do not overlap, the bandwidth is the sum of
 * their bytes divided by the sum of their transfer times. If they overlap, it is the rate at which
 * bytes complete. */
static void add_rates(
	const struct operations *operations, const char *subject, struct kind_row *row)
{
	struct arena arena;
	double moved = 0; /* sum of the operations' ps, which may exceed the longest run */
	bool overlap = false;

	arena_init(&arena);
	struct chosen chosen = choose_complete(operations, subject, &arena);
	int64_t last = chosen.warm == UINT32_MAX ? -1 : completed_at(&operations->at[chosen.warm]);
	struct completions known = completions_of_waits(operations, &chosen, false, &arena);

	for (uint32_t i = 0; i < chosen.count; i++) {
		const struct operation *operation = &operations->at[chosen.at[i]];

		overlap |= last >= 0 && operation->marks[MARK_CALLED].first < last;
		last = completed_at(operation);
		moved += (double)transfer_time(operation);
	}
	row->throughput = rate_of(&known);
	if (row->bytes > 0 && overlap) {
		struct completions bytes = completions_of_waits(operations, &chosen, true, &arena);

		row->bandwidth = rate_of(&bytes);
	} else if (row->bytes > 0 && moved > 0)
		row->bandwidth = (double)row->bytes / (moved * 1e-12);
	arena_fini(&arena);
}

static void count_kind(
	struct kind_row *kind, const char *subject, const struct operations *operations)
{
	*kind = (struct kind_row){.first = -1, .last = -1};
	snprintf(kind->kind, sizeof kind->kind, "%s", subject);
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		int64_t called = operation->marks[MARK_CALLED].first;
		int64_t end = operation_last(operation);

		if (!operation_is(operation, subject))
			continue;
		kind->warmup += operation->warmup;
		if (operation->warmup)
			continue;
		kind->operations++;
		kind->bytes += operation->bytes;
		if (called >= 0 && (kind->first < 0 || called < kind->first))
			kind->first = called;
		kind->last = end > kind->last ? end : kind->last;
	}
	add_rates(operations, subject, kind);
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

/* Adds a metric with `count` > 0 `values`. They may be in any order; sorts them. */
static void add_metric(struct metrics *out, const char *kind, const char *name, int64_t *values,
	uint32_t count, struct arena *arena)
{
	struct metric_row *row = &out->metrics[out->metric_count++];
	double sum = 0;

	sort_integers(values, count);
	for (uint32_t i = 0; i < count; i++)
		sum += (double)values[i];
	snprintf(row->kind, sizeof row->kind, "%s", kind);
	snprintf(row->metric, sizeof row->metric, "%s", name);
	row->count = count;
	row->p50 = values[rank_at(count, 500)];
	row->p90 = values[rank_at(count, 900)];
	row->p99 = values[rank_at(count, 990)];
	row->p99_9 = values[rank_at(count, 999)];
	row->max = values[count - 1];
	row->min = values[0];
	row->mean = sum / count;
	add_histogram(out, row, values, count, arena);
}

static void compute_metrics(struct metrics *out, const char *subject,
	const struct operations *operations, int64_t *values, struct arena *arena)
{
	const struct kind_row *kind = &out->kinds[out->kind_count - 1];

	for (int m = 0; m < METRIC_COUNT; m++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < operations->count; i++) {
			if (operations->at[i].warmup || !operation_is(&operations->at[i], subject))
				continue;
			values[count] = metric_value(operations, i, (enum metric)m);
			count += values[count] >= 0;
		}
		if (count)
			add_metric(out, kind->kind, metric_names[m], values, count, arena);
	}
}

void metrics_compute(struct metrics *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena)
{
	struct operations operations;
	struct subjects subjects = {.count = 0};
	struct arena own = {0};
	int64_t *values = arena_array(&own, op_count + 1, sizeof *values);

	memset(out, 0, sizeof *out);
	metrics_operations(&operations, ops, op_count, steps, &own);
	find_subjects(&subjects, &operations, &own);
	out->kinds = arena_array(arena, subjects.count + 1, sizeof *out->kinds);
	out->metrics = arena_array(
		arena, (size_t)(subjects.count + 1) * METRIC_COUNT, sizeof *out->metrics);
	for (uint32_t s = 0; s < subjects.count; s++) {
		count_kind(&out->kinds[out->kind_count++], subjects.at[s], &operations);
		compute_metrics(out, subjects.at[s], &operations, values, arena);
	}
	arena_fini(&own);
}
