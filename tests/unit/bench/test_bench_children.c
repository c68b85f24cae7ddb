/* label: full
 * Tests the child processes that the runner starts. Each run number has one child, whose output and
 * exit status are reported. Deadlines end children, and no process remains. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/run/children.h"

struct seen {
	int codes[16];
	char output[16][32];
	uint32_t ended, stop_after;
	bool timed_out[16];
	uint32_t limit_s;
};

static void work(void *context, uint32_t number)
{
	(void)context;
	fprintf(stderr, "child %u", number);
	fflush(stderr);
	switch (number) {
	case 3:
		_Exit(4);
	case 4:
		raise(SIGKILL);
		_Exit(0);
	case 5:
		for (;;)
			pause();
	default:
		_Exit(0);
	}
}

static bool ended(void *context, const struct child_end *end)
{
	struct seen *seen = context;

	seen->codes[end->number] = end->code;
	seen->timed_out[end->number] = end->timed_out;
	snprintf(
		seen->output[end->number], sizeof seen->output[0], "%s", text_string(&end->output));
	seen->ended++;
	return seen->ended != seen->stop_after;
}

static uint32_t limit(void *context, uint32_t number)
{
	return number == 5 ? ((struct seen *)context)->limit_s : 0;
}

static const struct children_ops ops = {.work = work, .ended = ended, .limit_s = limit};

TEST(every_child_is_heard_of)
{
	const uint32_t numbers[] = {1, 2, 3, 4, 7};
	struct seen seen = {.codes = {-1, -1, -1, -1, -1, -1, -1, -1}};

	assert_true(children_run(&ops, &seen, numbers, 5, 3));
	assert_int_equal(seen.ended, 5);
	assert_int_equal(seen.codes[1], 0);
	assert_int_equal(seen.codes[2], 0);
	assert_int_equal(seen.codes[3], 4);
	assert_int_equal(seen.codes[4], 128 + SIGKILL);
	assert_int_equal(seen.codes[6], -1);
	assert_int_equal(seen.codes[7], 0);
	assert_string_equal(seen.output[7], "child 7");
	assert_string_equal(seen.output[4], "child 4");
}

TEST(a_late_child_is_killed_and_said_to_be_late)
{
	const uint32_t numbers[] = {5, 1};
	struct seen seen = {.limit_s = 1};

	assert_true(children_run(&ops, &seen, numbers, 2, 2));
	assert_int_equal(seen.codes[5], 128 + SIGKILL);
	assert_true(seen.timed_out[5]);
	assert_false(seen.timed_out[1]);
}

TEST(stopping_leaves_no_child_behind)
{
	const uint32_t numbers[] = {5, 1, 2};
	struct seen seen = {.stop_after = 1, .codes = {-1, -1, -1, -1, -1, -1}};

	assert_false(children_run(&ops, &seen, numbers, 3, 2));
	assert_int_equal(seen.codes[5], -1);
	assert_int_equal(seen.ended, 1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

TEST_MAIN(NULL, NULL)
