/* Tests ensure(). If its condition is false, the process ends with exit code 70, and prints the
 * place in the code and the cause. Also tests that all statuses have names and messages. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/status.h"

static void meet_a_bug(void)
{
	ensure(1 + 1 == 3, "seen %d of %s", 2, "three");
}
enum { BUG_LINE = __LINE__ - 2 };

TEST(a_bug_ends_the_process_with_its_values)
{
	char said[512] = "", expected[256];
	size_t length = 0;
	ssize_t count;
	int ends[2], status = 0;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		meet_a_bug();
		_exit(0);
	}
	close(ends[1]);
	while ((count = read(ends[0], said + length, sizeof(said) - 1 - length)) > 0)
		length += (size_t)count;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 70);
	assert_non_null(strstr(said, "meshsim: bug: "));
	snprintf(expected, sizeof(expected),
		"test_base_ensure.c:%d: '1 + 1 == 3' does not hold: seen 2 of three\n", BUG_LINE);
	assert_non_null(strstr(said, expected));
}

TEST(what_holds_costs_nothing_but_the_condition)
{
	int evaluated = 0;

	ensure(++evaluated, "never %d", ++evaluated);
	assert_int_equal(evaluated, 1);
}

TEST(every_status_has_a_name_and_a_message)
{
	assert_string_equal(status_name(STATUS_OK), "OK");
	assert_string_equal(status_name(STATUS_TIMEOUT), "TIMEOUT");
	assert_string_equal(status_message(STATUS_TIMEOUT), "deadline passed");
	for (int status = 0; status < STATUS_COUNT; status++) {
		assert_true(strlen(status_name((enum status)status)) > 1);
		assert_true(strlen(status_message((enum status)status)) > 3);
		for (int other = 0; other < status; other++)
			assert_string_not_equal(
				status_name((enum status)status), status_name((enum status)other));
	}
}

TEST_MAIN(NULL, NULL)
