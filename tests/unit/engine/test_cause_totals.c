/* Tests the total time that is charged for each constant. It must be correct even if a time is too
 * long for a single charge. */

#include "test.h"

#include "cause/cause.h"

TEST(a_rest_of_days_is_counted_whole)
{
	const int64_t days_ps = INT64_C(5) << CAUSE_PS_BITS;
	cause_id first, second;

	causes_start();
	cause_rest(CHARGE_WAIT_WORKER);
	first = cause_take(days_ps);
	cause_enter(first);
	cause_charge(CHARGE_NOC_ISSUE, 7);
	cause_rest(CHARGE_WAIT_NOC);
	second = cause_take(days_ps + 10);
	for (uint32_t i = 0; i < CHARGE_COUNT; i++) {
		struct charge_total total = cause_total(0, (enum charge)i);
		int64_t expected_ps = i == CHARGE_WAIT_WORKER ? days_ps
				      : i == CHARGE_NOC_ISSUE ? 7
				      : i == CHARGE_WAIT_NOC  ? 3
							      : 0;

		assert_int_equal(total.ps, expected_ps);
		assert_int_equal(total.count, expected_ps > 0);
	}
	cause_release(second);
	cause_release(cause_enter(CAUSE_NONE));
}

TEST_MAIN(NULL, NULL)
