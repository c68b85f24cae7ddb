/* Tests a shared recorder. Processes that were forked after the recorder was created can add marks
 * to it, too; they use the operation numbers of the process that created it. Adding marks must
 * still work after one of the processes has died or was stopped. */
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/record/recorder.h"
#include "check.h"

enum { MARKS = 300000, PROCESSES = 3 };

/* Forks PROCESSES children that start at the same time: each calls `mark` and exits. */
static void mark_at_once(
	const struct recorder *sink, void (*mark)(const struct recorder *sink, int process))
{
	int gate[2];
	char byte;

	check_equal(pipe(gate), 0);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			close(gate[1]);
			(void)!read(gate[0], &byte, 1);
			mark(sink, i);
			_exit(0);
		}
	close(gate[0]);
	close(gate[1]);
	for (int i = 0; i < PROCESSES; i++)
		wait(NULL);
}

/* Marks in an endless loop, until killed. */
static void mark_for_ever(const struct recorder *sink)
{
	for (int64_t time_ps = 1;; time_ps++)
		sink->mark(sink->context, time_ps, 2, MARK_DISPATCHED, 0);
}

static void mark_some(const struct recorder *sink, int process)
{
	for (int64_t i = 0; i < MARKS; i++)
		sink->mark(sink->context, MARKS * (process + 1) + i, 1, MARK_GO, (uint32_t)process);
}

static void mark_points(const struct recorder *sink, int process)
{
	static const enum mark_point points[PROCESSES] = {MARK_BUILT, MARK_COPIED, MARK_DOORBELL};

	for (int64_t time_ps = 501; time_ps <= MARKS; time_ps++)
		sink->mark(sink->context, time_ps, 1, points[process], 0);
}

static void start_operation(struct op_recorder *recorder)
{
	(void)op_recorder_start(
		recorder, &(struct op_start){.kind = "finish", .thread = "main", .arrival_ps = -1});
}

TEST(marks_of_all_processes_are_kept)
{
	struct op_recorder *recorder = op_recorder_new(2, true);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	uint32_t count;

	start_operation(recorder);
	mark_at_once(&sink, mark_some);
	rows = op_recorder_rows(recorder, &count);
	check_equal(count, 1);
	check_equal(rows[0].marks[MARK_GO].count, PROCESSES * MARKS);
	check_equal(rows[0].marks[MARK_GO].first, MARKS);
	check_equal(rows[0].marks[MARK_GO].last, MARKS * PROCESSES + MARKS - 1);
	op_recorder_free(recorder);
}

/* Does the following 50 times: starts a process that adds marks in an endless loop, and interrupts
 * it by `signal`, at another point each time. After that, the test's own process must be able to
 * add marks, within 10 s. */
static void mark_beside_ends(int signal)
{
	struct op_recorder *recorder = op_recorder_new(2, true);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	uint32_t count;

	start_operation(recorder);
	start_operation(recorder);
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();

		if (child == 0)
			mark_for_ever(&sink);
		usleep(2000);
		kill(child, signal);
		if (signal == SIGSTOP)
			waitpid(child, NULL, WUNTRACED);
		alarm(10);
		sink.mark(sink.context, i, 2, MARK_SEEN, 0);
		alarm(0);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	rows = op_recorder_rows(recorder, &count);
	check_equal(rows[1].marks[MARK_SEEN].count, 50);
	op_recorder_free(recorder);
}

TEST(a_process_that_dies_while_it_marks_stops_no_other)
{
	mark_beside_ends(SIGKILL);
}

TEST(a_process_that_is_stopped_while_it_marks_stops_no_other)
{
	mark_beside_ends(SIGSTOP);
}

/* The host's times of an operation add up to the time from its call to its last point. */
TEST(times_of_points_passed_by_several_processes_add_up)
{
	struct op_recorder *recorder = op_recorder_new(1, true);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *row;
	uint32_t count;

	start_operation(recorder);
	sink.mark(sink.context, 500, 1, MARK_CALLED, 0);
	sink.mark(sink.context, 400, 1, MARK_CALLED, 0);
	mark_at_once(&sink, mark_points);
	row = op_recorder_rows(recorder, &count);
	check_equal(row->marks[MARK_CALLED].count, 1);
	check_equal(row->build_time + row->copy_time + row->doorbell_time, MARKS - 500);
	check_equal(row->expect_time, 0);
	op_recorder_free(recorder);
}

TEST_MAIN(NULL, NULL)
