/* Runs contract cases in each world (row.h). Each case runs in a forked child. If a child hangs, a
 * deadline ends it, and the remaining cases are skipped, because most likely they would hang, too.
 */
#include "test.h"

#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"
#include "test_cluster.h"
#include "world/world.h"

enum { STUCK_SECONDS = 15, NAME_BYTES = 160 }; /* a case that runs for so long hangs */

struct pair {
	const struct row *row;
	const struct row_case *each;
};

static bool hung; /* true: a case has hung */
static const struct row *current;
static struct row_mark marks[ROW_MARKS_MAX];
static uint32_t mark_count; /* atomic */

const struct row *row_current(void)
{
	return current;
}

void row_set_current(const struct row *row)
{
	current = row;
}

uint32_t row_marks(const struct row_mark **first)
{
	uint32_t count = __atomic_load_n(&mark_count, __ATOMIC_ACQUIRE);

	*first = marks;
	return count < ROW_MARKS_MAX ? count : ROW_MARKS_MAX;
}

static void keep_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	uint32_t place = __atomic_fetch_add(&mark_count, 1, __ATOMIC_ACQ_REL);

	(void)context;
	if (place < ROW_MARKS_MAX)
		marks[place] = (struct row_mark){time_ps, operation, chip, point};
}

static void run_in_child(const struct pair *pair)
{
	struct cluster_info *info = NULL;

	deadline_start(pair->each->name);
	current = pair->row;
	if (pair->each->cluster != NULL)
		info = test_cluster_info_new(pair->each->cluster);
	pair->row->run(info, pair->each->body);
	test_cluster_info_free(info);
}

pid_t row_fork(const struct row *row)
{
	pid_t child;

	if (row->load != NULL)
		row->load();
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	return child;
}

static void run_pair(void **state)
{
	const struct pair *pair = *state;
	time_t begun = time(NULL);
	int result;
	pid_t child;

	if (hung)
		fail_msg("%s: not run, a case before it hung", pair->each->name);
	child = row_fork(pair->row);
	if (child == 0) {
		run_in_child(pair);
		fflush(NULL);
		exit(0);
	}
	assert_int_equal(waitpid(child, &result, 0), child);
	hung = result != 0 && time(NULL) - begun >= STUCK_SECONDS;
	if (WIFSIGNALED(result))
		fail_msg("%s: ended by signal %d", pair->each->name, WTERMSIG(result));
	if (WEXITSTATUS(result) != 0)
		fail_msg("%s: exit code %d", pair->each->name, WEXITSTATUS(result));
}

static bool is_wanted(const struct row *row)
{
	const char *only = getenv("MESHSIM_ROW");

	return only == NULL || strcmp(only, row->name) == 0;
}

int row_run_suite(const char *suite, const struct row_case *cases, uint32_t count)
{
	struct CMUnitTest *tests = calloc(row_count * count, sizeof(*tests));
	struct pair *pairs = calloc(row_count * count, sizeof(*pairs));
	char(*names)[NAME_BYTES] = calloc(row_count * count, sizeof(*names));
	uint32_t at = 0;
	int failed;

	for (uint32_t row = 0; row < row_count; row++) {
		for (uint32_t i = 0; i < count && is_wanted(rows[row]); i++, at++) {
			pairs[at] = (struct pair){rows[row], &cases[i]};
			snprintf(names[at], sizeof(names[at]), "%s: %s", rows[row]->name,
				cases[i].name);
			tests[at].name = names[at];
			tests[at].test_func = run_pair;
			tests[at].initial_state = &pairs[at];
		}
	}
	failed = _cmocka_run_group_tests(suite, tests, at, NULL, NULL);
	free(names);
	free(pairs);
	free(tests);
	return failed;
}

const struct recorder row_recorder = {.mark = keep_mark};
