/* A shared recorder takes the marks of processes that were forked behind it, each under the number
 * that this process gave the operation; and still does when one of them has died. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/record/recorder.h"
#include "check.h"

enum { MARKS = 1000, PROCESSES = 3 };

/* Marks without end, until it is killed. */
static void mark_for_ever(const struct recorder *sink)
{
	for (int64_t time_ps = 1;; time_ps++)
		sink->mark(sink->context, time_ps, 2, MARK_DISPATCHED, 0);
}

static void mark_some(const struct recorder *sink, int process)
{
	for (int64_t i = 0; i < MARKS; i++)
		sink->mark(sink->context, 1000 * (process + 1) + i, 1, MARK_GO, (uint32_t)process);
	_exit(0);
}

static void start_operation(struct op_recorder *recorder)
{
	(void)op_recorder_start(
		recorder, &(struct op_start){.kind = "finish", .thread = "main", .arrival_ps = -1});
}

static void marks_of_all_processes_are_kept(void **state)
{
	struct op_recorder *recorder = op_recorder_new(2, true);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	uint32_t count;

	(void)state;
	start_operation(recorder);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			mark_some(&sink, i);
	for (int i = 0; i < PROCESSES; i++)
		wait(NULL);
	rows = op_recorder_rows(recorder, &count);
	check_equal(count, 1);
	check_equal(rows[0].marks[MARK_GO].count, PROCESSES * MARKS);
	check_equal(rows[0].marks[MARK_GO].first, 1000);
	check_equal(rows[0].marks[MARK_GO].last, 1000 * PROCESSES + MARKS - 1);
	op_recorder_free(recorder);
}

static void who_dies_while_it_marks_stops_nobody(void **state)
{
	struct op_recorder *recorder = op_recorder_new(2, true);
	struct recorder sink = op_recorder_sink(recorder);
	const struct op_row *rows;
	uint32_t count;

	(void)state;
	start_operation(recorder);
	start_operation(recorder);
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();

		if (child == 0)
			mark_for_ever(&sink);
		usleep(2000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		sink.mark(sink.context, i, 1, MARK_SEEN, 0);
	}
	rows = op_recorder_rows(recorder, &count);
	check_equal(rows[0].marks[MARK_SEEN].count, 50);
	op_recorder_free(recorder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_of_all_processes_are_kept),
		cmocka_unit_test(who_dies_while_it_marks_stops_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
