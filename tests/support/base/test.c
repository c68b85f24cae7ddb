/* Runs the tests that TEST() has gathered (test.h). */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

static int test_by_line(const void *a, const void *b)
{
	const struct test_row *const *x = a, *const *y = b;

	return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

int test_run(const struct test_row *const *rows, const struct test_row *const *end,
	CMFixtureFunction before, CMFixtureFunction after)
{
	size_t count = (size_t)(end - rows);
	const struct test_row **sorted = allocate(count, sizeof *sorted);
	struct CMUnitTest *tests = allocate(count, sizeof *tests);
	int failed;

	memcpy(sorted, rows, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, test_by_line);
	for (size_t i = 0; i < count; i++)
		tests[i] = sorted[i]->test;
	free(sorted);
	failed = _cmocka_run_group_tests("tests", tests, count, before, after);
	free(tests);
	return failed;
}
