/* The recorder of operations (bench/record/recorder.h). Marks are set more often than anything else
 * is recorded, so the recorder allocates only once, at the start. A shared recorder is in memory
 * that processes share, and setting a mark takes no lock (recorder_private.h). */
#include "bench/record/recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "recorder_private.h"

struct op_recorder {
	struct op_row *rows;
	uint32_t count, capacity; /* `count` is atomic if shared */
	bool shared, watched;
	bool stopped;		  /* atomic if shared */
	int64_t *reached;	  /* shared: [row], see recorder_private.h */
	struct op_paths *paths;	  /* NULL: causes are not recorded */
	const struct op_cpu *cpu; /* NULL: CPU time is unknown */
	pthread_mutex_t numbers;  /* shared: locked while a thread numbers an operation */
};

static size_t row_bytes(const struct op_recorder *recorder)
{
	return (size_t)recorder->capacity * sizeof *recorder->rows;
}

static size_t reached_bytes(const struct op_recorder *recorder)
{
	return (size_t)recorder->capacity * sizeof *recorder->reached;
}

struct op_recorder *op_recorder_new(uint32_t capacity, bool shared)
{
	struct op_recorder *recorder =
		shared ? allocate_shared(sizeof *recorder) : allocate(1, sizeof *recorder);

	recorder->capacity = capacity;
	recorder->shared = shared;
	if (shared) {
		recorder->rows = allocate_shared(row_bytes(recorder));
		recorder->reached = allocate_shared(reached_bytes(recorder));
		pthread_mutex_init(&recorder->numbers, NULL);
	} else {
		recorder->rows = allocate(capacity, sizeof *recorder->rows);
	}
	return recorder;
}

static void enter(struct op_recorder *recorder)
{
	if (recorder->shared)
		pthread_mutex_lock(&recorder->numbers);
}

static void leave(struct op_recorder *recorder)
{
	if (recorder->shared)
		pthread_mutex_unlock(&recorder->numbers);
}

void op_recorder_free(struct op_recorder *recorder)
{
	if (!recorder)
		return;
	op_paths_free(recorder->paths);
	if (recorder->shared) {
		pthread_mutex_destroy(&recorder->numbers);
		free_shared(recorder->reached, reached_bytes(recorder));
		free_shared(recorder->rows, row_bytes(recorder));
		free_shared(recorder, sizeof *recorder);
	} else {
		free(recorder->rows);
		free(recorder);
	}
}

/* Adds host work to the row's sum for `point`, for example to `build_time` for MARK_BUILT. The work
 * began at the call of the operation, or where the previous such work ended. Does nothing if no
 * host work ends at `point` (op_row_time()). */
static void spend(struct op_row *row, int64_t time_ps, enum mark_point point)
{
	int64_t *time = op_row_time(row, point);

	if (time == NULL)
		return;

	int64_t since = row->marks[MARK_CALLED].last + row->build_time + row->expect_time +
			row->copy_time + row->doorbell_time;

	if (time_ps > since)
		*time += time_ps - since;
}

/* True for the marks at which an operation may be complete (METRIC_LATENCY). An operation passes
 * some or all of these marks, in the order of the code below. It is complete at the last one that
 * it passes. */
static bool ends_operation(enum mark_point point)
{
	return point == MARK_DISPATCHED || point == MARK_WORKERS_DONE || point == MARK_NOTIFIED ||
	       point == MARK_SEEN;
}

static void read_cpu(
	const struct op_recorder *recorder, const struct op_row *row, int64_t *all, int64_t *others)
{
	*all = recorder->cpu->all_ps();
	*others = recorder->cpu->others_ps(1 + row->mesh_number);
}

static void mark_row(
	struct op_recorder *recorder, int64_t time_ps, uint32_t operation, enum mark_point point)
{
	struct op_row *row = &recorder->rows[operation - 1];
	struct op_mark *mark = &row->marks[point];

	if (point == MARK_CALLED && mark->count > 0)
		return; /* a call within the call, which began before */
	if (mark->count == 0 || time_ps < mark->first)
		mark->first = time_ps;
	if (mark->count == 0 || time_ps > mark->last)
		mark->last = time_ps;
	if (recorder->paths && time_ps == mark->last)
		op_paths_mark(recorder->paths, row, point);
	mark->count++;
	spend(row, time_ps, point);
	if (recorder->cpu && point == MARK_CALLED)
		read_cpu(recorder, row, &row->cpu_called, &row->others_called);
	if (recorder->cpu && point == MARK_RETURNED)
		read_cpu(recorder, row, &row->cpu_returned, &row->others_returned);
	if (recorder->cpu && ends_operation(point) && time_ps == mark->last)
		read_cpu(recorder, row, &row->cpu_complete, &row->others_complete);
}

static void check_number(uint32_t operation, uint32_t count)
{
	ensure(operation <= count, "mark of operation %u of %u", operation, count);
}

static void on_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	struct op_recorder *recorder = context;

	if (operation == 0 || recorder->stopped)
		return;
	check_number(operation, recorder->count);
	/* a row has the times of the first and the last chip, but not of each chip */
	mark_row(recorder, time_ps, operation, point);
	if (recorder->watched)
		op_chips_mark(operation, recorder->rows[operation - 1].marks[MARK_CALLED].last,
			time_ps, point, chip);
}

static void on_shared_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	struct op_recorder *recorder = context;

	(void)chip;
	if (operation == 0 || __atomic_load_n(&recorder->stopped, __ATOMIC_ACQUIRE))
		return;
	check_number(operation, __atomic_load_n(&recorder->count, __ATOMIC_ACQUIRE));
	shared_mark(
		&recorder->rows[operation - 1], &recorder->reached[operation - 1], time_ps, point);
}

struct recorder op_recorder_sink(struct op_recorder *recorder)
{
	return (struct recorder){
		.context = recorder, .mark = recorder->shared ? on_shared_mark : on_mark};
}

void op_recorder_follow(
	struct op_recorder *recorder, const struct path_wish *wish, const struct step_names *names)
{
	recorder->paths = op_paths_new(recorder->capacity, wish, names);
}

struct op_paths *op_recorder_paths(struct op_recorder *recorder)
{
	if (recorder->paths)
		op_paths_take(recorder->paths, recorder->rows, recorder->count, true);
	return recorder->paths;
}

void op_recorder_count_cpu(struct op_recorder *recorder, const struct op_cpu *cpu)
{
	recorder->cpu = cpu;
}

void op_recorder_enter(const struct op_recorder *recorder, uint32_t family)
{
	if (recorder->cpu)
		recorder->cpu->enter(family);
}

void op_recorder_watch(struct op_recorder *recorder)
{
	recorder->watched = true;
}

void op_recorder_stop(struct op_recorder *recorder)
{
	__atomic_store_n(&recorder->stopped, true, __ATOMIC_RELEASE);
}

uint32_t op_recorder_start(struct op_recorder *recorder, const struct op_start *start)
{
	struct op_row *row;

	enter(recorder);
	ensure(recorder->count < recorder->capacity, "operation %u of %u", recorder->count + 1,
		recorder->capacity);
	row = &recorder->rows[recorder->count];
	row->operation = recorder->count + 1;
	snprintf(row->kind, sizeof row->kind, "%s", start->kind);
	snprintf(row->program, sizeof row->program, "%s", start->program ? start->program : "");
	snprintf(row->thread, sizeof row->thread, "%s", start->thread);
	row->step_number = start->step;
	row->iteration = start->iteration;
	snprintf(row->mesh, sizeof row->mesh, "%s", start->mesh ? start->mesh : "");
	row->queue = start->queue;
	row->mesh_number = start->mesh_number;
	row->part = start->part;
	row->sub_devices = start->sub_devices;
	row->awaits = start->awaits;
	row->warmup = start->warmup;
	row->bytes = start->bytes;
	row->arrival = start->arrival_ps;
	row->cpu_called = row->cpu_returned = row->cpu_complete = -1;
	row->others_called = row->others_returned = row->others_complete = -1;
	for (int i = 0; i < MARK_POINT_COUNT; i++)
		row->marks[i] = (struct op_mark){-1, -1, 0};
	if (recorder->shared)
		recorder->reached[recorder->count] = -1;
	__atomic_store_n(&recorder->count, recorder->count + 1, __ATOMIC_RELEASE);
	if (recorder->paths) {
		op_paths_start(recorder->paths, row);
		op_paths_take(recorder->paths, recorder->rows, recorder->count - 1, false);
	}
	leave(recorder);
	return row->operation;
}

const struct op_row *op_recorder_rows(const struct op_recorder *recorder, uint32_t *count)
{
	*count = __atomic_load_n(&recorder->count, __ATOMIC_ACQUIRE);
	return recorder->rows;
}
