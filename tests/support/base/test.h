/* The header that a test program includes first. It includes cmocka and the headers that cmocka
 * needs, and defines TEST() for each test and TEST_MAIN() for the program. */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

/* cmocka.h uses the types of these headers but does not include them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test, and the number of its line. */
struct test_row {
	struct CMUnitTest test;
	int line;
};

/* Begins a cmocka test without state: TEST(a_name_that_states_the_behaviour) { ... } The linker
 * gathers the entries of all tests in a table, so the tests need not be listed in main(). */
#define TEST(name)                                                                                 \
	static void name(void **state);                                                            \
	static const struct test_row name##_row = {cmocka_unit_test(name), __LINE__};              \
	static const struct test_row *const name##_at                                              \
		__attribute__((used, section("test_rows"))) = &name##_row;                         \
	static void name(__attribute__((unused)) void **state)

extern const struct test_row *const __start_test_rows[], *const __stop_test_rows[];

/* Runs the tests of a program in the order of their line numbers. Calls `before` before the first
 * test and `after` after the last test, unless they are NULL. Returns the number of tests that
 * failed. */
int test_run(const struct test_row *const *rows, const struct test_row *const *end,
	CMFixtureFunction before, CMFixtureFunction after);

#define TEST_RUN(before, after) test_run(__start_test_rows, __stop_test_rows, before, after)

/* Defines main(). Write TEST_MAIN(NULL, NULL) at the end of the file. */
#define TEST_MAIN(before, after)                                                                   \
	int main(void)                                                                             \
	{                                                                                          \
		return TEST_RUN(before, after);                                                    \
	}

#endif
