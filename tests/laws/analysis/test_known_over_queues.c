/* Tests operations on two queues, where one queue waits for an event of the other. The tests check
 * when the host learns that an operation before the event is complete. They also check which
 * operation determines the time of a loop that ends with a read on the other queue. The analysis of
 * a run and the analysis of its result file must choose the same operation. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/metrics/completions.h"
#include "analysis/operations/measure.h"
#include "base/stream.h"
#include "bench/results/metrics.h"

enum { ROWS_MAX = 256, NS = 1000 };

struct run {
	struct op_row rows[ROWS_MAX];
	uint32_t count;
	struct operations operations;
	struct arena arena;
};

static void mark(struct op_row *row, enum mark_point point, int64_t at)
{
	row->marks[point] = (struct op_mark){at * NS, at * NS, 1};
}

/* Adds a call at `called` ns. The host sees its end at `seen` ns, or never if that is -1. */
static struct op_row *call(
	struct run *run, const char *kind, uint8_t queue, int64_t called, int64_t seen)
{
	struct op_row *row = &run->rows[run->count++];

	memset(row, 0, sizeof *row);
	row->operation = run->count;
	snprintf(row->kind, sizeof row->kind, "%s", kind);
	snprintf(row->thread, sizeof row->thread, "main");
	row->queue = queue;
	row->step_number = (uint32_t)kind[0];
	row->arrival = -1;
	for (int m = 0; m < MARK_POINT_COUNT; m++)
		row->marks[m] = (struct op_mark){-1, -1, 0};
	mark(row, MARK_CALLED, called);
	if (seen >= 0)
		mark(row, MARK_SEEN, seen);
	return row;
}

static void link(struct run *run)
{
	arena_init(&run->arena);
	metrics_operations(&run->operations, run->rows, run->count, NULL, &run->arena);
}

/* Makes rounds of three operations: a program on queue 0, an event on queue 0, and a read on queue
 * 1, for which the host waits. Queue 1 waits for the event, unless `awaits` is false. */
static void rounds_over_two_queues(struct run *run, bool awaits)
{
	run->count = 0;
	for (int64_t at = 0; at < 1000; at += 100) {
		uint32_t event;

		mark(call(run, "program", 0, at, -1), MARK_WORKERS_DONE, at + 40);
		event = call(run, "record_event", 0, at + 10, -1)->operation;
		call(run, "wait_event", 1, at + 20, -1)->awaits = awaits ? event : 0;
		call(run, "buffer", 1, at + 30, at + 90);
	}
	link(run);
}

/* Makes rounds with a replay for which the host waits. The trace has two programs, on two queues.
 * Another program, `behind`, is called after the replay. */
static void rounds_of_replays(struct run *run)
{
	run->count = 0;
	for (int64_t at = 0; at < 1000; at += 100) {
		mark(call(run, "replay_trace", 0, at, at + 70), MARK_WORKERS_DONE, at + 60);
		mark(call(run, "program", 0, at, -1), MARK_WORKERS_DONE, at + 40);
		mark(call(run, "other", 1, at, -1), MARK_WORKERS_DONE, at + 60);
		mark(call(run, "behind", 0, at + 80, -1), MARK_WORKERS_DONE, at + 95);
	}
	link(run);
}

TEST(a_replay_that_is_waited_for_tells_the_host_of_its_own_programs)
{
	struct run run;

	rounds_of_replays(&run);
	assert_int_equal(known_at(&run.operations, 1), 70 * NS);
	assert_int_equal(known_at(&run.operations, 2), 70 * NS);
	assert_int_equal(known_at(&run.operations, 3), 170 * NS);
	assert_int_equal(measure_mode_of(&run.operations, "program"), MEASURE_EACH);
	assert_int_equal(metric_value(&run.operations, 5, METRIC_COMPLETION), 70 * NS);
	for (uint32_t i = 0; i + 4 < run.count; i++)
		assert_int_equal(
			metric_completed_by(run.rows, i, run.count), run.operations.waiter[i]);
	arena_fini(&run.arena);
}

TEST(a_read_behind_an_event_of_another_queue_tells_the_host)
{
	struct run run;

	rounds_over_two_queues(&run, true);
	assert_int_equal(known_at(&run.operations, 0), 90 * NS);
	assert_int_equal(measure_mode_of(&run.operations, "program"), MEASURE_EACH);
	assert_int_equal(metric_value(&run.operations, 4, METRIC_COMPLETION), 90 * NS);
	arena_fini(&run.arena);
}

TEST(a_read_of_another_queue_alone_tells_nothing)
{
	struct run run;

	rounds_over_two_queues(&run, false);
	assert_int_equal(known_at(&run.operations, 0), -1);
	assert_int_equal(measure_mode_of(&run.operations, "program"), MEASURE_FLIGHT);
	arena_fini(&run.arena);
}

/* A program that is called after the event is in flight until a later event shows its end. */
TEST(a_program_behind_the_event_is_not_known_by_it)
{
	struct run run = {.count = 0};

	call(&run, "record_event", 0, 0, -1);
	call(&run, "program", 0, 10, -1);
	call(&run, "wait_event", 1, 20, -1)->awaits = 1;
	call(&run, "buffer", 1, 30, 90);
	link(&run);
	assert_int_equal(known_at(&run.operations, 0), 90 * NS);
	assert_int_equal(known_at(&run.operations, 1), -1);
	arena_fini(&run.arena);
}

/* Adds a call that blocks its thread until it returns, at `returned` ns. The host sees the end of
 * the operation at `seen` ns. */
static struct op_row *busy_call(
	struct run *run, const char *kind, int64_t called, int64_t returned, int64_t seen)
{
	struct op_row *row = call(run, kind, 0, called, seen);

	mark(row, MARK_RETURNED, returned);
	row->cpu_called = called * NS;
	row->cpu_returned = returned * NS;
	return row;
}

TEST(host_cpu_of_programs_ends_with_the_finish_that_sees_them_complete)
{
	struct run run = {.count = 0};

	for (int64_t at = 0; at < 40; at += 10)
		mark(busy_call(&run, "program", at, at + 5, -1), MARK_WORKERS_DONE, at + 30);
	busy_call(&run, "finish", 40, 80, 80);
	busy_call(&run, "finish", 90, 500, 500);
	link(&run);
	assert_int_equal(measure_host_cpu(&run.operations, "program"), 80 * NS / 4);
	arena_fini(&run.arena);
}

/* Draws calls on four queues, of which some record events and some wait for one of them. */
static void draw(struct run *run, struct stream *stream)
{
	run->count = 0;
	for (int64_t i = 0; i < ROWS_MAX; i++) {
		uint64_t what = stream_below(stream, 5);
		struct op_row *row = call(run, "program", (uint8_t)stream_below(stream, 2), 10 * i,
			what == 0 ? 10 * i + 5 : -1);

		row->mesh_number = (uint8_t)stream_below(stream, 2);
		row->part = what == 1 && stream_below(stream, 4) == 0;
		row->sub_devices = (uint8_t)stream_below(stream, 4);
		if (what == 2 && i > 0)
			row->awaits = (uint32_t)(i - (int64_t)stream_below(
							     stream, i < 20 ? (uint64_t)i : 20));
	}
	link(run);
}

TEST(runs_and_files_find_the_same_operation)
{
	struct stream stream;
	uint32_t over_queues = 0;

	stream_init(&stream, 1, "events");
	for (int round = 0; round < 40; round++) {
		struct run run;

		draw(&run, &stream);
		for (uint32_t i = 0; i < run.count; i++) {
			uint32_t waiter = run.operations.waiter[i];
			uint32_t by = metric_completed_by(run.rows, i, run.count);

			if (waiter >= i + METRIC_NEAR)
				waiter = run.count;
			if (waiter != by)
				fail_msg("round %d: operation %u is known by %u in the file, by %u "
					 "in the run",
					round, i, waiter, by);
			over_queues += by < run.count &&
				       (run.rows[by].queue != run.rows[i].queue ||
					       run.rows[by].mesh_number != run.rows[i].mesh_number);
		}
		arena_fini(&run.arena);
	}
	print_message("%u operations are known by another queue\n", over_queues);
	assert_true(over_queues > 200);
}

TEST_MAIN(NULL, NULL)
