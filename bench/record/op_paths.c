/* Computes the critical path of each metric of an operation. A metric is a span of time. Its path
 * is found by going from the event at the end of the span back to the start, from each event to its
 * cause. The causes of an operation's marks are kept until the path was computed. There can be at
 * most CAUSE_KINDS kinds of operations. */
#include "bench/record/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/table/alike.h"
#include "bench/results/metrics.h"
#include "cause/cause.h"
#include "recorder_private.h"
#include "watch/watch.h"

/* The path of an operation is computed when MANY later operations were called. To keep fewer
 * causes in memory, it is computed earlier if three conditions hold. First, the host has seen the
 * end of an operation that was called at least FEW calls later on the same queue. Second, the same
 * step was called again, or LONE later operations were called. Third, the end of another operation
 * has shown that this operation is complete (metric_completed_by()), or NEAR later operations were
 * called. */
enum { FEW = 16, LONE = 256, MANY = 4096, NEAR = METRIC_NEAR };

struct op_causes {
	cause_id at[MARK_POINT_COUNT]; /* the cause of each mark, when the mark was last set; the
					* struct holds a reference to each cause */
};

struct op_paths {
	struct op_causes *causes;
	uint8_t *kinds; /* `kinds[i]`: kind of operation i (counted from 1), as an index of
			 * `names` */
	char names[CAUSE_KINDS][24];
	uint32_t capacity, count, taken, kind_count;
	uint32_t *next; /* `next[i]`: the next operation of the same step on the same queue as
			 * operation i; 0: none */
	uint32_t *steps,
		step_count; /* [step and queue] the last operation of the step on the queue */
	/* [mesh][queue] the last operation whose end the host saw */
	uint32_t seen[ALIKE_MINORS_MAX][UINT8_MAX + 1];
	struct path_row *rows;
	uint32_t row_count, row_capacity;
	struct step_sums *sums;	      /* sums over all paths */
	uint8_t *slots;		      /* [operation] slot of its step in `sums` */
	const struct path_wish *wish; /* NULL: all */
};

struct op_paths *op_paths_new(
	uint32_t capacity, const struct path_wish *wish, const struct step_names *names)
{
	struct op_paths *paths = allocate(1, sizeof *paths);

	paths->wish = wish;
	paths->causes = allocate(capacity + 1u, sizeof *paths->causes);
	paths->kinds = allocate(capacity + 1u, sizeof *paths->kinds);
	paths->next = allocate(capacity + 1u, sizeof *paths->next);
	paths->slots = allocate(capacity + 1u, sizeof *paths->slots);
	paths->sums = step_sums_new(names);
	paths->capacity = capacity;
	paths->kind_count = 1;
	snprintf(paths->names[0], sizeof paths->names[0], "none");
	causes_start();
	causes.kinds = paths->kinds;
	return paths;
}

void op_paths_free(struct op_paths *paths)
{
	if (!paths)
		return;
	free(paths->rows);
	free(paths->causes);
	free(paths->kinds);
	free(paths->next);
	free(paths->steps);
	free(paths->slots);
	step_sums_free(paths->sums);
	free(paths);
}

/* Records this operation as the next one after the previous operation of the same step and queue.
 * operations_link() (analysis/metrics/operation.h) does the same. */
static void follow_step(struct op_paths *paths, const struct op_row *row)
{
	uint32_t step = row->step_number * ALIKE_QUEUES + row->queue;

	if (step >= paths->step_count) {
		paths->steps = allocate_more(paths->steps, step + 1, sizeof *paths->steps);
		memset(&paths->steps[paths->step_count], 0,
			(step + 1 - paths->step_count) * sizeof *paths->steps);
		paths->step_count = step + 1;
	}
	paths->next[paths->steps[step]] = row->operation;
	paths->steps[step] = row->operation;
}

void op_paths_start(struct op_paths *paths, const struct op_row *row)
{
	const char *kind = row->kind;
	uint32_t operation = row->operation, at = 1;

	follow_step(paths, row);
	while (at < paths->kind_count && strcmp(paths->names[at], kind) != 0)
		at++;
	ensure(at < CAUSE_KINDS, "more than %d kinds of operations", CAUSE_KINDS);
	if (at == paths->kind_count)
		snprintf(paths->names[paths->kind_count++], sizeof paths->names[0], "%s", kind);
	paths->kinds[operation] = (uint8_t)at;
	paths->slots[operation] = step_sums_slot(paths->sums, row);
	paths->count = causes.kind_count = operation + 1;
}

void op_paths_mark(struct op_paths *paths, const struct op_row *row, enum mark_point point)
{
	cause_id *cause = &paths->causes[row->operation].at[point];

	if (row->operation <= paths->taken)
		return;
	if (point == MARK_SEEN && row->operation > paths->seen[row->mesh_number][row->queue])
		paths->seen[row->mesh_number][row->queue] = row->operation;
	cause_release(*cause);
	*cause = cause_now();
}

/* ---- one path ---- */

static enum charge wait_behind(enum mark_point point)
{
	static const enum charge waits[MARK_POINT_COUNT] = {
#define X(name, what, stage, wait) [MARK_##name] = CHARGE_WAIT_##wait,
#include "lists/mark.def"
#undef X
	};

	return waits[point];
}

/* Writes the operation's marks to `marks`, sorted by time, and returns their number. Leaves out
 * MARK_RETURNED, because nothing on the path waits for the return of the call. */
static uint32_t list_marks(
	const struct op_causes *causes_of, const struct op_row *row, struct path_mark *marks)
{
	uint32_t count = 0;

	for (int point = 0; point < MARK_POINT_COUNT; point++) {
		struct path_mark mark = {row->marks[point].last, causes_of->at[point],
			wait_behind((enum mark_point)point)};
		uint32_t at = count;

		if (mark.cause == CAUSE_NONE || point == MARK_RETURNED)
			continue;
		for (; at > 0 && marks[at - 1].at_ps > mark.at_ps; at--)
			marks[at] = marks[at - 1];
		marks[at] = mark;
		count++;
	}
	return count;
}

struct way {
	int64_t stages[TIME_STAGE_COUNT];
	struct charge_total *sums; /* NULL: the operation is a warm-up */
	bool subtract;		   /* true: the following pieces are subtracted */
	uint32_t operation, track; /* operation and track of the path; 0: it is not watched */
	struct watch_slice last;   /* the part of the current stage's slice so far */
};

/* Adds a piece of a watched operation's path to the timeline. Called for the pieces of a path from
 * the last piece to the first. Successive pieces of the same stage become one slice. */
static void show_piece(struct way *way, enum time_stage stage, int64_t from_ps, int64_t to_ps)
{
	const char *what = time_stage_label(stage);

	if (way->last.what != what) {
		watch_slice_of(way->track, way->operation, way->last.start_ps, way->last.end_ps,
			way->last.what);
		way->last = (struct watch_slice){.end_ps = to_ps, .what = what};
	}
	way->last.start_ps = from_ps;
}

static void add_piece(void *context, enum charge charge, int64_t from_ps, int64_t to_ps)
{
	struct way *way = context;
	int64_t ps = way->subtract ? from_ps - to_ps : to_ps - from_ps;

	way->stages[charge_stage(charge)] += ps;
	if (way->sums && way->subtract)
		way->sums[charge].ps += ps;
	else if (way->sums)
		cause_total_add(&way->sums[charge], ps);
	if (way->track != 0)
		show_piece(way, charge_stage(charge), from_ps, to_ps);
}

static void op_paths_add_row(struct op_paths *paths, struct path_row row)
{
	if (paths->row_count == paths->row_capacity) {
		paths->row_capacity = paths->row_capacity ? 2 * paths->row_capacity : 1024;
		paths->rows = allocate_more(paths->rows, paths->row_capacity, sizeof *paths->rows);
	}
	paths->rows[paths->row_count++] = row;
}

static void op_paths_add_stages(
	struct op_paths *paths, const struct op_row *row, uint32_t metric, const struct way *way)
{
	for (uint8_t stage = 0; stage < TIME_STAGE_COUNT; stage++)
		if (way->stages[stage] != 0)
			op_paths_add_row(paths, (struct path_row){row->operation, (uint8_t)metric,
							stage, way->stages[stage]});
}

/* Returns true if the stages of an operation's path are computed. */
static bool is_wished(const struct op_paths *paths, const struct op_row *row, uint32_t metric)
{
	const struct path_wish *wish = paths->wish;

	if (!wish || (wish->latency && metric == METRIC_LATENCY))
		return true;
	return (wish->kind && strcmp(wish->kind, row->kind) == 0) ||
	       (wish->step && strcmp(wish->step, step_sums_name(paths->sums, row)) == 0);
}

static void walk_query(struct op_paths *paths, const struct op_row *row, uint32_t metric,
	const struct path_query *query)
{
	struct way way = {.sums = NULL};

	if (query->start_ps < 0 || query->end == CAUSE_NONE || query->end_ps < query->start_ps)
		return;
	if (!row->warmup)
		way.sums = step_sums_walked(paths->sums, paths->slots[row->operation], metric,
			query->end_ps - query->start_ps);
	if (!is_wished(paths, row, metric))
		return;
	if (metric == METRIC_LATENCY && watch_window_of(row->operation))
		way.track =
			watch_track(WATCH_PATH, -1, "operation %u %s", row->operation, row->kind);
	way.operation = row->operation;
	path_walk(query, add_piece, &way);
	watch_slice_of(way.track, way.operation, way.last.start_ps, way.last.end_ps, way.last.what);
	op_paths_add_stages(paths, row, metric, &way);
}

/* Walks from `end` back to the operation's call. */
static void op_paths_walk(struct op_paths *paths, const struct op_row *row, uint32_t metric,
	cause_id end, int64_t end_ps)
{
	struct path_mark marks[MARK_POINT_COUNT];
	struct path_query query = {.end = end,
		.end_ps = end_ps,
		.start_ps = row->marks[MARK_CALLED].last,
		.operation = row->operation,
		.marks = marks};

	query.mark_count = list_marks(&paths->causes[row->operation], row, marks);
	walk_query(paths, row, metric, &query);
}

/* Computes the path of the metric round, which ends with the next call of the same step. */
static void take_round(struct op_paths *paths, const struct op_row *rows, uint32_t index)
{
	uint32_t next = paths->next[rows[index].operation];

	if (next > 0)
		op_paths_walk(paths, &rows[index], METRIC_ROUND,
			paths->causes[next].at[MARK_CALLED],
			rows[next - 1].marks[MARK_CALLED].last);
}

/* Computes the path of the metric `completion`. The path ends when the host knows that the
 * operation is complete. It learns this from the end of this operation, or of one of the next
 * METRIC_NEAR operations. Operations farther away are not considered, because the path goes through
 * the events of all operations in between. */
static void take_completion(
	struct op_paths *paths, const struct op_row *rows, uint32_t index, uint32_t count)
{
	uint32_t by = metric_completed_by(rows, index, count);

	if (by < count)
		op_paths_walk(paths, &rows[index], METRIC_COMPLETION,
			paths->causes[rows[by].operation].at[MARK_SEEN],
			rows[by].marks[MARK_SEEN].last);
}

/* Of all operations of the same kind that completed before operation `index`, returns the index of
 * the one that completed last. Searches METRIC_NEAR operations on each side of `index`. Returns
 * `count` if there is none. */
static uint32_t completed_before(const struct op_row *rows, uint32_t index, uint32_t count)
{
	enum mark_point mark = metric_end(rows[index].marks, METRIC_LATENCY);
	uint32_t first = index > NEAR ? index - NEAR : 0, found = count;
	int64_t end_ps = rows[index].marks[mark].last, before_ps = -1;

	for (uint32_t i = first; i < index + NEAR && i < count; i++) {
		enum mark_point other = metric_end(rows[i].marks, METRIC_LATENCY);

		if (other == MARK_POINT_COUNT || i == index ||
			strcmp(rows[i].kind, rows[index].kind) != 0 ||
			rows[i].marks[other].last > end_ps ||
			(rows[i].marks[other].last == end_ps && i > index) ||
			rows[i].marks[other].last <= before_ps)
			continue;
		before_ps = rows[i].marks[other].last;
		found = i;
	}
	return found;
}

/* Follows causes from the end of an operation back to `start_ps`. The events on this path may
 * belong to other operations. */
static void walk_end(
	struct op_paths *paths, const struct op_row *row, int64_t start_ps, struct way *way)
{
	enum mark_point mark = metric_end(row->marks, METRIC_LATENCY);

	path_walk(&(struct path_query){.end = paths->causes[row->operation].at[mark],
			  .end_ps = row->marks[mark].last,
			  .start_ps = start_ps},
		add_piece, way);
}

/* Computes the interval by stages. The interval is the time from the completion of the previous
 * operation of the same kind to the completion of this operation. Follows two critical paths, one
 * from each completion. Both paths end at the same moment: the earlier of the two calls. For each
 * stage, the result is its time on this operation's path minus its time on the previous
 * operation's path. This difference can be negative, but the sum over all stages is the
 * interval. */
static void take_interval(
	struct op_paths *paths, const struct op_row *rows, uint32_t index, uint32_t count)
{
	const struct op_row *row = &rows[index], *before;
	enum mark_point mark = metric_end(row->marks, METRIC_LATENCY), other;
	struct way way = {.sums = NULL};
	uint32_t found = mark < MARK_POINT_COUNT ? completed_before(rows, index, count) : count;
	int64_t start_ps = row->marks[MARK_CALLED].last;

	if (found == count)
		return;
	before = &rows[found];
	other = metric_end(before->marks, METRIC_LATENCY);
	if (before->marks[MARK_CALLED].last < start_ps)
		start_ps = before->marks[MARK_CALLED].last;
	if (start_ps < 0 || paths->causes[row->operation].at[mark] == CAUSE_NONE ||
		paths->causes[before->operation].at[other] == CAUSE_NONE)
		return;
	if (!row->warmup)
		way.sums = step_sums_walked(paths->sums, paths->slots[row->operation],
			PATH_INTERVAL, row->marks[mark].last - before->marks[other].last);
	if (!is_wished(paths, row, PATH_INTERVAL))
		return;
	walk_end(paths, row, start_ps, &way);
	way.subtract = true;
	walk_end(paths, before, start_ps, &way);
	op_paths_add_stages(paths, row, PATH_INTERVAL, &way);
}

/* Releases the causes that are stored for an operation. Keeps the cause of the operation's end,
 * because intervals of later operations need it, unless `last` is set. */
static void release_causes(struct op_paths *paths, const struct op_row *row, bool last)
{
	enum mark_point end = metric_end(row->marks, METRIC_LATENCY);

	for (int point = 0; point < MARK_POINT_COUNT; point++) {
		cause_id *cause = &paths->causes[row->operation].at[point];

		if (point == (int)end && !last)
			continue;
		cause_release(*cause);
		*cause = CAUSE_NONE;
	}
}

static void record_op_paths_take(
	struct op_paths *paths, const struct op_row *rows, uint32_t index, uint32_t count)
{
	const struct op_row *row = &rows[index];
	struct op_causes *own = &paths->causes[row->operation];

	take_round(paths, rows, index);
	take_completion(paths, rows, index, count);
	take_interval(paths, rows, index, count);
	for (uint32_t metric = 0; metric < METRIC_COMPLETION; metric++) {
		enum mark_point point = metric_end(row->marks, (enum metric)metric);

		if (point < MARK_POINT_COUNT && metric_has_stages(metric))
			op_paths_walk(paths, row, metric, own->at[point], row->marks[point].last);
	}
}

/* Returns true if the path of an operation can be computed. The comment at FEW, LONE, MANY and NEAR
 * has the conditions. They rely on the fact that a queue processes its operations in order, except
 * for launches on different sub-devices. */
static bool is_over(
	const struct op_paths *paths, const struct op_row *rows, uint32_t index, uint32_t count)
{
	uint32_t next = paths->next[rows[index].operation];

	if (index + MANY < count)
		return true;
	return paths->seen[rows[index].mesh_number][rows[index].queue] > index + FEW &&
	       ((next > 0 && next <= count) || index + LONE < count) &&
	       (index + NEAR < count || metric_completed_by(rows, index, count) < count);
}

void op_paths_take(struct op_paths *paths, const struct op_row *rows, uint32_t count, bool all)
{
	while (paths->taken < count && (all || is_over(paths, rows, paths->taken, count))) {
		uint32_t index = paths->taken;

		record_op_paths_take(paths, rows, index, count);
		paths->taken++;
		release_causes(paths, &rows[index], false);
		if (index >= NEAR)
			release_causes(paths, &rows[index - NEAR], true);
		if (index >= NEAR && rows[index - NEAR].marks[MARK_CALLED].last > 0)
			causes.horizon_ps = rows[index - NEAR].marks[MARK_CALLED].last;
	}
	for (uint32_t i = count > NEAR ? count - NEAR : 0; all && i < count; i++)
		release_causes(paths, &rows[i], true);
}

const struct path_row *op_paths_rows(const struct op_paths *paths, uint32_t *count)
{
	*count = paths->row_count;
	return paths->rows;
}

/* ---- charges ---- */

struct charge_row *op_paths_charges(
	const struct op_paths *paths, struct arena *arena, uint32_t *count)
{
	size_t most = (size_t)paths->kind_count * CHARGE_COUNT + step_sums_rows_most(paths->sums);
	struct charge_row *rows = arena_array(arena, most, sizeof *rows);

	*count = 0;
	cause_parts_count();
	for (uint32_t kind = 0; kind < paths->kind_count; kind++)
		for (int charge = 0; charge < CHARGE_COUNT; charge++) {
			struct charge_total all = cause_total(kind, (enum charge)charge);
			struct charge_key key = {
				paths->names[kind], "", "all", charge_path((enum charge)charge)};

			if (key.constant[0])
				charge_row_add(rows, count, &key, &all);
		}
	step_sums_rows(paths->sums, rows, count);
	return rows;
}
