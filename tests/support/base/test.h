/* The first include of a test program: cmocka with the headers that it needs, TEST() for each test,
 * and TEST_MAIN() for the program. */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

/* cmocka.h declares with their types and includes none of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test, and the line that it stands in. */
struct test_row {
	struct CMUnitTest test;
	int line;
};

/* Begins a test of cmocka that has no state: TEST(a_name_that_states_the_behaviour) { ... } The
 * program runs every one of them: no list can lack it. The linker gathers the rows. */
#define TEST(name)                                                                                 \
	static void name(void **state);                                                            \
	static const struct test_row name##_row = {cmocka_unit_test(name), __LINE__};              \
	static const struct test_row *const name##_at                                              \
		__attribute__((used, section("test_rows"))) = &name##_row;                         \
	static void name(__attribute__((unused)) void **state)

extern const struct test_row *const __start_test_rows[], *const __stop_test_rows[];

/* Runs the tests of a program in the order of their lines, with `before` and `after` around all of
 * them (NULL: none). Returns the number that failed. */
int test_run(const struct test_row *const *rows, const struct test_row *const *end,
	CMFixtureFunction before, CMFixtureFunction after);

#define TEST_RUN(before, after) test_run(__start_test_rows, __stop_test_rows, before, after)

/* The program: TEST_MAIN(NULL, NULL) at the end of the file. */
#define TEST_MAIN(before, after)                                                                   \
	int main(void)                                                                             \
	{                                                                                          \
		return TEST_RUN(before, after);                                                    \
	}

#endif
