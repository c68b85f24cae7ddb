/* Tests the marks that the firmware makes when an operation passes certain points, in the native
 * and the simulated world. Each chip makes one mark at each point that the operation passes on it.
 * The times of the marks are in the order of the points. */
#include <string.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 1};
static const struct test_cluster one_worker = {
	.rows = 1, .columns = 1, .worker_columns = 1, .worker_rows = 1};
static const struct test_cluster pair = {
	.rows = 1, .columns = 2, .pcie = TEST_PCIE_LEFT, .worker_columns = 2, .worker_rows = 1};

enum { OPERATION = 70000 };

static void append_operation(struct command_stream *stream, const struct rig_chip *chip)
{
	struct rig_program program = {.id = 1, .kernel_bytes = 100, .cycles = 1000};

	rig_append_program(stream, chip, &program, 0);
	rig_append_event(stream, 1, true);
}

/* Checks that the marks of OPERATION are `expected`, in this order and on these chips. */
static void check_marks(const struct row_mark *expected, uint32_t count)
{
	const struct row_mark *marks;
	uint32_t seen = row_marks(&marks), next = 0;
	int64_t time_ps = 0;

	for (uint32_t i = 0; i < seen; i++) {
		if (marks[i].operation != OPERATION)
			continue;
		check(next < count, "%s on chip %u is one too many",
			mark_point_name(marks[i].point), marks[i].chip);
		check(marks[i].point == expected[next].point &&
				marks[i].chip == expected[next].chip,
			"mark %u is %s on chip %u, expected %s on chip %u", next,
			mark_point_name(marks[i].point), marks[i].chip,
			mark_point_name(expected[next].point), expected[next].chip);
		check_at_most(time_ps, marks[i].time_ps);
		time_ps = marks[i].time_ps;
		next++;
	}
	check_equal(next, count);
}

#define MARK(point_, chip_)                                                                        \
	{                                                                                          \
		.point = MARK_##point_, .chip = (chip_)                                            \
	}

/* Runs an operation on a chip and compares the points that it passes. */
static void check_operation(
	struct rig_chip *chip, const struct row_mark *expected, uint32_t expected_count)
{
	struct command_stream stream;

	command_stream_init(&stream, OPERATION);
	append_operation(&stream, chip);
	rig_submit(chip->issue, &stream);
	rig_drain(chip->rig);
	/* natively the host may mark its doorbell when the chip has already finished */
	if (row_current()->timed)
		check_marks(expected, expected_count);
}

static const struct row_mark on_one_chip[] = {
	MARK(COPIED, 0),
	MARK(DOORBELL, 0),
	MARK(FETCHED, 0),
	MARK(PREFETCHED, 0),
	MARK(DISPATCHED, 0),
	MARK(GO, 0),
	MARK(WORKERS_DONE, 0),
	MARK(NOTIFIED, 0),
};

static const struct row_mark behind_a_gateway[] = {
	MARK(COPIED, 0),
	MARK(DOORBELL, 0),
	MARK(FETCHED, 0),
	MARK(SENT, 0),
	MARK(RECEIVED, 1),
	MARK(PREFETCHED, 1),
	MARK(DISPATCHED, 1),
	MARK(GO, 1),
	MARK(WORKERS_DONE, 1),
	MARK(ANSWERED, 1),
	MARK(NOTIFIED, 1),
};

static void an_operation_on_one_chip(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig_start(rig);
	check_operation(rig_local(rig, 0), on_one_chip, sizeof on_one_chip / sizeof *on_one_chip);
}

static void an_operation_behind_a_gateway(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig_start(rig);
	check_operation(rig_remote(rig, 1), behind_a_gateway,
		sizeof behind_a_gateway / sizeof *behind_a_gateway);
}

/* Counts how often each point was passed, over all chips. */
static void check_counts(uint32_t chips)
{
	uint32_t counts[MARK_POINT_COUNT] = {0};
	const struct row_mark *marks;
	uint32_t seen = row_marks(&marks);

	for (uint32_t i = 0; i < seen; i++)
		if (marks[i].operation == OPERATION)
			counts[marks[i].point]++;
	check_equal(counts[MARK_FETCHED], 1);
	check_equal(counts[MARK_SENT], 1);
	check_equal(counts[MARK_RECEIVED], chips);
	check_equal(counts[MARK_PREFETCHED], chips);
	check_equal(counts[MARK_DISPATCHED], chips);
	check_equal(counts[MARK_GO], chips);
	check_equal(counts[MARK_WORKERS_DONE], chips);
	check_equal(counts[MARK_NOTIFIED], chips);
}

static void a_broadcast_operation(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct command_stream stream;
	uint32_t route;

	rig_start(rig);
	rig_broadcast(rig, 0, 1, 2);
	command_stream_init(&stream, OPERATION);
	route = rig_route_open(&stream, 0, (struct grid_rect){0, 0, 0, 1});
	append_operation(&stream, &rig->chips[0]);
	rig_route_close(&stream, route);
	rig_submit(rig->broadcast_issue, &stream);
	rig_drain(rig);
	check_counts(2);
}

/* The end of a launch is marked at the time when it happens, even if nothing waits for it. */
static void workers_are_marked_done_while_the_dispatcher_idles(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct rig_program program = {.id = 1, .kernel_bytes = 100, .cycles = 100000};
	const struct row_mark *marks;
	struct command_stream stream;
	struct rig_chip *chip;
	uint32_t seen, done = 0;

	rig_start(rig);
	chip = rig_local(rig, 0);
	command_stream_init(&stream, OPERATION);
	rig_append_program(&stream, chip, &program, 0);
	rig_submit(chip->issue, &stream);
	rig_drain(rig);
	seen = row_marks(&marks);
	for (uint32_t i = 0; i < seen; i++)
		done += marks[i].point == MARK_WORKERS_DONE;
	check_equal(done, 1);
}

/* ---- prepared starts ---- */

/* The time at which an operation passed a point. The operation must have passed it exactly once. */
static int64_t passed_ps(uint32_t operation, enum mark_point point)
{
	const struct row_mark *marks;
	uint32_t seen = row_marks(&marks), found = 0;
	int64_t time_ps = 0;

	for (uint32_t i = 0; i < seen; i++)
		if (marks[i].operation == operation && marks[i].point == point) {
			time_ps = marks[i].time_ps;
			found++;
		}
	check(found == 1, "operation %u passes %s %u times", operation, mark_point_name(point),
		found);
	return time_ps;
}

/* Submits an operation of one command. */
static void submit_one(
	const struct rig_chip *chip, uint32_t operation, const struct dispatch_command *command)
{
	struct command_stream stream;

	command_stream_init(&stream, operation);
	command_stream_dispatch(&stream, command);
	rig_submit(chip->issue, &stream);
}

/* Submits a wait for all runs but the last, and a notification of the host. */
static void submit_wait_behind_one(const struct rig_chip *chip, uint32_t operation)
{
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS, .wait = {.value = 1}};
	struct dispatch_command notify = {
		.kind = DISPATCH_NOTIFY_HOST, .flags = DISPATCH_TABLE, .notify_host = {.event = 1}};
	struct command_stream stream;

	command_stream_init(&stream, operation);
	command_stream_dispatch(&stream, &wait);
	command_stream_dispatch(&stream, &notify);
	rig_submit(chip->issue, &stream);
}

/* A worker of group 0 runs for 100 us. Meanwhile, three operations follow: SECOND is another go for
 * group 0, OTHER a go for group 1, and WAITING a wait for the first run. SECOND and WAITING must be
 * delayed until the worker is done, but OTHER must not. */
static void a_start_waits_for_the_runs_before_it_of_its_group_only(struct cluster *cluster)
{
	enum { FIRST = 1, SECOND, WAITING, OTHER };
	struct rig *rig = rig_init(cluster);
	struct rig_program program = {.id = 1, .kernel_bytes = 100, .cycles = 100000};
	struct dispatch_command go = {.kind = DISPATCH_GO, .flags = DISPATCH_IDLE};
	struct command_stream stream;
	struct rig_chip *chip;
	int64_t over_ps;

	rig_start(rig);
	chip = rig_local(rig, 0);
	command_stream_init(&stream, FIRST);
	rig_append_program(&stream, chip, &program, 0);
	rig_submit(chip->issue, &stream);
	submit_one(chip, SECOND, &go);
	go.go.group = 1;
	submit_one(chip, OTHER, &go);
	submit_wait_behind_one(chip, WAITING);
	rig_wait_event(chip, 1);
	rig_drain(rig);
	if (!row_current()->timed)
		return;
	over_ps = passed_ps(FIRST, MARK_WORKERS_DONE);
	check_at_most(over_ps, passed_ps(SECOND, MARK_DISPATCHED));
	check_at_most(over_ps, passed_ps(WAITING, MARK_NOTIFIED));
	check_at_most(passed_ps(OTHER, MARK_DISPATCHED), over_ps - 1);
}

/* The stage that processes the end of a trace is delayed until the host was notified. */
static void the_end_of_a_trace_is_marked_before_the_host_is_told_of_it(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct dispatch_command begin = {
		.kind = DISPATCH_TRACE_BEGIN, .trace_begin = {.first = OPERATION}};
	struct dispatch_command end = {.kind = DISPATCH_TRACE_END};
	struct command_stream stream;
	struct rig_chip *chip;
	int64_t done_ps;

	rig->dispatch_s = true;
	rig_start(rig);
	chip = rig_local(rig, 0);
	command_stream_init(&stream, OPERATION);
	command_stream_dispatch(&stream, &begin);
	command_stream_dispatch(&stream, &end);
	rig_append_event(&stream, 1, true);
	rig_submit(chip->issue, &stream);
	rig_wait_event(chip, 1);
	rig_drain(rig);
	done_ps = passed_ps(OPERATION, MARK_WORKERS_DONE);
	check_at_most(done_ps, passed_ps(OPERATION, MARK_NOTIFIED));
	rig_start_dispatch_s(chip);
	rig_drain(rig);
	check_equal(passed_ps(OPERATION, MARK_WORKERS_DONE), done_ps);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(an_operation_on_one_chip, one_chip),
		ROW_CASE(an_operation_behind_a_gateway, pair),
		ROW_CASE(a_broadcast_operation, pair),
		ROW_CASE(workers_are_marked_done_while_the_dispatcher_idles, one_chip),
		ROW_CASE(a_start_waits_for_the_runs_before_it_of_its_group_only, one_worker),
		ROW_CASE(the_end_of_a_trace_is_marked_before_the_host_is_told_of_it, one_chip),
	};

	return ROW_RUN_SUITE("firmware marks", cases);
}
