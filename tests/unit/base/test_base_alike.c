/* Rows that share a number: the next one of each, and the next that is marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/table/alike.h"

enum { ROWS = 7 };

static const uint32_t numbers[ROWS] = {1, 0, 1, UINT32_MAX, 0, 1, UINT32_MAX};

static void the_next_row_has_the_same_number(void **state)
{
	static const uint32_t expected[ROWS] = {2, 4, 5, ROWS, ROWS, ROWS, ROWS};
	uint32_t next[ROWS];

	(void)state;
	alike_next(numbers, ROWS, next);
	assert_memory_equal(next, expected, sizeof expected);
}

static void a_row_that_is_marked_is_its_own(void **state)
{
	static const bool marked[ROWS] = {false, true, true, true};
	static const uint32_t expected[ROWS] = {2, 1, 2, ROWS, ROWS, ROWS, ROWS};
	uint32_t found[ROWS];

	(void)state;
	alike_marked(numbers, marked, ROWS, found);
	assert_memory_equal(found, expected, sizeof expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_row_has_the_same_number),
		cmocka_unit_test(a_row_that_is_marked_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
