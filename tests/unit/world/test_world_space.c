/* Tests an address space that is divided into ranges. Freed ranges must be used again, the lowest
 * first, and neighbouring free ranges must be merged. Ranges in use must never overlap. */
#include "test.h"

#include <string.h>

#include "base/hash.h"
#include "world/space.h"

TEST(ranges_follow_each_other_until_the_end)
{
	struct space space;
	uint64_t address;

	space_init(&space, 100, 130);
	assert_true(space_take(&space, 10, &address));
	assert_int_equal(address, 100);
	assert_true(space_take(&space, 20, &address));
	assert_int_equal(address, 110);
	assert_false(space_take(&space, 1, &address));
	space_fini(&space);
}

TEST(neighbours_that_come_back_are_one)
{
	struct space space;
	uint64_t address;

	space_init(&space, 0, 40);
	for (int i = 0; i < 4; i++)
		assert_true(space_take(&space, 10, &address));
	space_give(&space, 0, 10);
	space_give(&space, 20, 10);
	assert_false(space_take(&space, 20, &address));
	space_give(&space, 10, 10);
	assert_true(space_take(&space, 30, &address));
	assert_int_equal(address, 0);
	space_give(&space, 0, 30);
	space_give(&space, 30, 10);
	assert_int_equal(space.count, 0);
	assert_int_equal(space.top, 0);
	space_fini(&space);
}

enum { BYTES = 4096, RANGES = 64, STEPS = 20000 };

TEST(no_two_ranges_overlap)
{
	static uint8_t taken[BYTES];
	uint64_t address[RANGES], bytes[RANGES] = {0};
	struct space space;

	memset(taken, 0, sizeof(taken));
	space_init(&space, 0, BYTES);
	for (uint64_t step = 0; step < STEPS; step++) {
		uint64_t random = hash_mix(step), i = random % RANGES;

		if (bytes[i] > 0) {
			memset(taken + address[i], 0, bytes[i]);
			space_give(&space, address[i], bytes[i]);
			bytes[i] = 0;
			continue;
		}
		bytes[i] = 1 + (random >> 32) % 100;
		if (!space_take(&space, bytes[i], &address[i])) {
			bytes[i] = 0;
			continue;
		}
		for (uint64_t at = address[i]; at < address[i] + bytes[i]; at++)
			assert_int_equal(taken[at]++, 0);
	}
	for (uint32_t i = 0; i < RANGES; i++)
		if (bytes[i] > 0)
			space_give(&space, address[i], bytes[i]);
	assert_int_equal(space.count, 0);
	assert_int_equal(space.top, 0);
	space_fini(&space);
}

TEST_MAIN(NULL, NULL)
