/* Tests that causes to which nothing refers are used again, and that the others are kept. */

#include "test.h"

#include "cause/cause.h"

enum { ROUNDS = 1000, CHAIN = 5 };

static int begin(void **state)
{
	(void)state;
	if (!causes.on)
		causes_start();
	return 0;
}

/* Makes a cause at `at_ps` after the current one, and makes it the current cause. */
static void go_on(int64_t at_ps)
{
	cause_charge(CHARGE_NOC_ISSUE, 1);
	cause_release(cause_enter(cause_take(at_ps)));
}

TEST(a_chain_that_nothing_needs_is_used_again)
{
	uint32_t fresh = causes.fresh;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 1; i <= CHAIN; i++)
			go_on(i);
		cause_release(cause_enter(CAUSE_NONE));
	}
	assert_in_range(causes.fresh - fresh, 1, CHAIN + 1);
}

TEST(both_ends_of_a_wait_that_nothing_needs_are_used_again)
{
	uint32_t fresh = causes.fresh;
	cause_id own, end;

	for (int round = 0; round < ROUNDS; round++) {
		go_on(1);
		own = cause_enter(CAUSE_NONE);
		go_on(2);
		end = cause_join(own, 3, "workers", CHARGE_WAIT_WORKER);
		cause_release(own);
		cause_release(cause_enter(CAUSE_NONE));
		cause_release(end);
	}
	assert_in_range(causes.fresh - fresh, 0, 2 * CHAIN);
}

TEST(a_parent_is_kept_as_long_as_a_later_cause_refers_to_it)
{
	cause_id parent, child;

	go_on(11);
	parent = causes.current;
	go_on(12);
	child = cause_now();
	cause_release(cause_enter(CAUSE_NONE));
	for (int i = 0; i < ROUNDS; i++) {
		go_on(20 + i);
		assert_true(causes.current != parent && causes.current != child);
	}
	assert_int_equal(causes.links[child].parent, parent);
	assert_int_equal(causes.at[parent].at_ps, 11);
	cause_release(cause_enter(CAUSE_NONE));
	cause_release(child);
}

TEST_MAIN(begin, NULL)
