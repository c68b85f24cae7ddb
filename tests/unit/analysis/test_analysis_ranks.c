/* Tests the rank test of `check --wall`: with values whose result is known, and with ties. The
 * order of the values in a set must have no effect. */

#include "test.h"

#include "../../../analysis/check/check_private.h"

/* The values from ten to eighteen are all greater than the values from one to nine. The expected
 * p-value is that of the normal distribution at z = (81 - 40.5 - 0.5) / sqrt(9 * 9 * 19 / 12) =
 * 3.534. */
TEST(sets_apart_are_certain)
{
	const double low[] = {5, 1, 2, 3, 4, 6, 7, 8, 9};
	const double high[] = {18, 10, 11, 12, 13, 14, 15, 16, 17};
	struct rank_test ranks = rank_test(low, 9, high, 9);

	assert_float_equal(ranks.u, 81, 0);
	assert_float_equal(ranks.effect, 1, 0);
	assert_float_equal(ranks.greater, 0.000206, 0.000001);
	assert_float_equal(ranks.less, 0.999853, 0.000001);
	assert_float_equal(ranks.median[0], 5, 0);
	assert_float_equal(ranks.median[1], 14, 0);
	ranks = rank_test(high, 9, low, 9);
	assert_float_equal(ranks.u, 0, 0);
	assert_float_equal(ranks.less, 0.000206, 0.000001);
}

TEST(equal_sets_prove_nothing)
{
	const double same[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	const double flat[] = {3, 3, 3, 3};
	struct rank_test ranks = rank_test(same, 10, same, 10);

	assert_float_equal(ranks.effect, 0.5, 0);
	assert_true(ranks.greater > 0.5 && ranks.less > 0.5);
	assert_float_equal(ranks.median[0], 5.5, 0);
	ranks = rank_test(flat, 4, flat, 4);
	assert_float_equal(ranks.greater, 1, 0);
	assert_float_equal(ranks.effect, 0.5, 0);
}

/* Ties (equal values) reduce the deviation. The 8 values have the groups {1 x3}, {2 x4} and {3 x1},
 * so the term for ties is 24 + 60, and the deviation is sqrt(4 * 4 / 12 * (9 - 84 / 56)) = 3.1623.
 * So z is 6 / 3.1623. */
TEST(ties_are_corrected)
{
	const double first[] = {1, 1, 1, 2}, second[] = {2, 2, 2, 3};
	struct rank_test ranks = rank_test(first, 4, second, 4);

	assert_float_equal(ranks.u, 14.5, 0);
	assert_float_equal(ranks.greater, 0.02889, 0.00001);
}

TEST_MAIN(NULL, NULL)
