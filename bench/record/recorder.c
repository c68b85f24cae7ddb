/* Recorder of operations (see bench/record/recorder.h). It allocates everything at the start,
 * because marks are the hottest path of a run's bookkeeping. A shared recorder is in memory that
 * processes share. */
#include "bench/record/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/record/op_chips.h"
#include "bench/record/op_paths.h"

struct op_recorder {
	struct op_row *rows;
	uint32_t count, capacity;
	bool shared, stopped;
	bool watched;
	struct op_paths *paths; /* NULL: causes are not recorded */
	pthread_mutex_t mutex;
};

static size_t row_bytes(const struct op_recorder *recorder)
{
	return (size_t)recorder->capacity * sizeof *recorder->rows;
}

/* Makes a mutex for several processes, robust because one of them may die while it holds the
 * mutex. */
static void share_mutex(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

struct op_recorder *op_recorder_new(uint32_t capacity, bool shared)
{
	struct op_recorder *recorder =
		shared ? allocate_shared(sizeof *recorder) : allocate(1, sizeof *recorder);

	recorder->capacity = capacity;
	recorder->shared = shared;
	if (shared) {
		recorder->rows = allocate_shared(row_bytes(recorder));
		share_mutex(&recorder->mutex);
	} else {
		recorder->rows = allocate(capacity, sizeof *recorder->rows);
	}
	return recorder;
}

/* Locks the recorder. If the previous owner died inside, the row of one operation may have one mark
 * more or less, which does no harm. */
static void enter(struct op_recorder *recorder)
{
	if (recorder->shared && pthread_mutex_lock(&recorder->mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&recorder->mutex);
}

static void leave(struct op_recorder *recorder)
{
	if (recorder->shared)
		pthread_mutex_unlock(&recorder->mutex);
}

void op_recorder_free(struct op_recorder *recorder)
{
	if (!recorder)
		return;
	op_paths_free(recorder->paths);
	if (recorder->shared) {
		pthread_mutex_destroy(&recorder->mutex);
		free_shared(recorder->rows, row_bytes(recorder));
		free_shared(recorder, sizeof *recorder);
	} else {
		free(recorder->rows);
		free(recorder);
	}
}

/* Attributes the time since the previous of these points to the point passed now. */
static void spend(struct op_row *row, int64_t time_ps, enum mark_point point)
{
	if (point > MARK_DOORBELL)
		return;

	int64_t since = row->marks[MARK_CALLED].last + row->build_time + row->expect_time +
			row->copy_time + row->doorbell_time;
	int64_t spent = time_ps > since ? time_ps - since : 0;

	if (point == MARK_BUILT)
		row->build_time += spent;
	else if (point == MARK_EXPECTED)
		row->expect_time += spent;
	else if (point == MARK_COPIED)
		row->copy_time += spent;
	else if (point == MARK_DOORBELL)
		row->doorbell_time += spent;
}

static void mark_row(
	struct op_recorder *recorder, int64_t time_ps, uint32_t operation, enum mark_point point)
{
	ensure(operation <= recorder->count, "mark of operation %u of %u", operation,
		recorder->count);

	struct op_row *row = &recorder->rows[operation - 1];
	struct op_mark *mark = &row->marks[point];

	if (point == MARK_CALLED && mark->count > 0)
		return; /* a nested call: the outer one has set the time */
	if (mark->count == 0 || time_ps < mark->first)
		mark->first = time_ps;
	if (mark->count == 0 || time_ps > mark->last)
		mark->last = time_ps;
	if (recorder->paths && time_ps == mark->last)
		op_paths_mark(recorder->paths, row, point);
	mark->count++;
	spend(row, time_ps, point);
}

static void on_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	struct op_recorder *recorder = context;

	if (operation == 0)
		return;
	enter(recorder);
	if (recorder->stopped)
		goto out;
	/* rows keep the times of the first and the last chip only */
	mark_row(recorder, time_ps, operation, point);
	if (recorder->watched)
		op_chips_mark(operation, recorder->rows[operation - 1].marks[MARK_CALLED].last,
			time_ps, point, chip);
out:
	leave(recorder);
}

struct recorder op_recorder_sink(struct op_recorder *recorder)
{
	return (struct recorder){.context = recorder, .mark = on_mark};
}

void op_recorder_follow(struct op_recorder *recorder)
{
	recorder->paths = op_paths_new(recorder->capacity);
}

struct op_paths *op_recorder_paths(struct op_recorder *recorder)
{
	if (recorder->paths)
		op_paths_take(recorder->paths, recorder->rows, recorder->count, true);
	return recorder->paths;
}

void op_recorder_watch(struct op_recorder *recorder)
{
	recorder->watched = true;
}

void op_recorder_stop(struct op_recorder *recorder)
{
	enter(recorder);
	recorder->stopped = true;
	leave(recorder);
}

uint32_t op_recorder_start(struct op_recorder *recorder, const struct op_start *start)
{
	struct op_row *row;

	enter(recorder);
	ensure(recorder->count < recorder->capacity, "operation %u of %u", recorder->count + 1,
		recorder->capacity);
	row = &recorder->rows[recorder->count++];
	row->operation = recorder->count;
	snprintf(row->kind, sizeof row->kind, "%s", start->kind);
	snprintf(row->thread, sizeof row->thread, "%s", start->thread);
	row->step_number = start->step;
	row->iteration = start->iteration;
	snprintf(row->mesh, sizeof row->mesh, "%s", start->mesh ? start->mesh : "");
	row->queue = start->queue;
	row->mesh_number = start->mesh_number;
	row->part = start->part;
	row->sub_devices = start->sub_devices;
	row->warmup = start->warmup;
	row->bytes = start->bytes;
	row->arrival = start->arrival_ps;
	for (int i = 0; i < MARK_POINT_COUNT; i++)
		row->marks[i] = (struct op_mark){-1, -1, 0};
	if (recorder->paths) {
		op_paths_start(recorder->paths, row);
		op_paths_take(recorder->paths, recorder->rows, recorder->count - 1, false);
	}
	leave(recorder);
	return row->operation;
}

const struct op_row *op_recorder_rows(const struct op_recorder *recorder, uint32_t *count)
{
	*count = recorder->count;
	return recorder->rows;
}
