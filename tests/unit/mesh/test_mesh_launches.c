/* Tests which earlier launches a launch assumes to be complete. It must wait for earlier launches
 * that may be in flight, but not for launches that are complete. The test computes from the full
 * history of every device which launches may be in flight. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "mesh/program/launches.h"

enum { DEVICES = 4, LAUNCHES = 3000 };

/* Launches of each device, the latest last. */
static uint32_t history[DEVICES][LAUNCHES], counts[DEVICES];

static uint32_t least_last(uint32_t devices)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t d = 0; d < DEVICES; d++)
		if (devices >> d & 1) {
			uint32_t last = counts[d] ? history[d][counts[d] - 1] : 0;

			least = last < least ? last : least;
		}
	return least;
}

/* Suppose that all launches of a device are complete, except for the last `behind` launches.
 * Returns the earliest launch that may then still be in flight; UINT32_MAX if there is none. */
static uint32_t earliest(uint32_t device, uint32_t behind)
{
	uint32_t count = counts[device];

	if (behind == 0 || count == 0)
		return UINT32_MAX;
	return history[device][count > behind ? count - behind : 0];
}

static void check_past(uint32_t run, uint32_t full, uint32_t devices)
{
	struct launch_past past = launch_past_of(run, full, least_last(devices));

	for (uint32_t d = 0; d < DEVICES; d++) {
		if (!(devices >> d & 1))
			continue;
		if (earliest(d, past.behind) < past.oldest)
			fail_msg("launch %u behind %u full ones: launch %u may be under way on "
				 "device "
				 "%u, launches before %u are taken as over",
				run, full, earliest(d, past.behind), d, past.oldest);
	}
	if (full > 0 && past.behind != full)
		fail_msg("launch %u behind %u full ones waits for all but %u", run, full,
			past.behind);
	for (uint32_t user = past.oldest; user < run; user++) {
		uint32_t behind = launch_behind(run, full, user);

		for (uint32_t d = 0; d < DEVICES; d++)
			if ((devices >> d & 1) && earliest(d, behind) <= user)
				fail_msg("launch %u writes over launch %u, which may be under way "
					 "on device %u: all but %u are waited for",
					run, user, d, behind);
		if (run - 1 - user < full && behind != run - 1 - user)
			fail_msg("launch %u waits for all but %u behind launch %u", run, behind,
				user);
	}
}

TEST(a_launch_waits_for_those_whose_place_it_takes_and_for_no_others)
{
	struct stream stream;
	uint32_t full = 0;

	stream_init(&stream, 1, "launches");
	for (uint32_t run = 1; run <= LAUNCHES; run++) {
		uint32_t all = (1u << DEVICES) - 1;
		uint32_t devices = stream_below(&stream, 8) > 0
					   ? all
					   : 1 + (uint32_t)stream_below(&stream, all);

		check_past(run, full, devices);
		for (uint32_t d = 0; d < DEVICES; d++)
			if (devices >> d & 1)
				history[d][counts[d]++] = run;
		full = launch_full_after(full, devices == all);
	}
}

TEST(as_many_launches_count_as_a_wait_can_leave_out)
{
	uint32_t full = 0;

	for (uint32_t i = 1; i <= 2 * DISPATCH_BEHIND_MAX; i++) {
		full = launch_full_after(full, true);
		assert_int_equal(full, i < DISPATCH_BEHIND_MAX ? i : DISPATCH_BEHIND_MAX);
	}
	assert_int_equal(launch_full_after(full, false), 0);
}

TEST(launches_behind_each_other_have_slots_of_their_own)
{
	for (uint32_t run = 1; run <= 3 * LAUNCH_SLOTS; run++) {
		assert_true(launch_slot(run) < LAUNCH_SLOTS);
		for (uint32_t behind = 1; behind < LAUNCH_SLOTS; behind++)
			assert_int_not_equal(launch_slot(run), launch_slot(run + behind));
	}
}

TEST_MAIN(NULL, NULL)
