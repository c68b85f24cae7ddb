/* label: full  timeout: 400
 * Tests the allocator that gives the same addresses on all devices of a mesh: best fit, allocation
 * from either end, merging of free neighbours, and messages. Also compares a long random run with a
 * simple allocator that keeps a bitmap. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "memory/allocator.h"
#include "world/native/native.h"

static uint64_t take(struct allocator *allocator, uint64_t bytes, bool bottom_up)
{
	uint64_t address = UINT64_MAX;

	assert_int_equal(allocator_take(allocator, bytes, bottom_up, &address, NULL), STATUS_OK);
	return address;
}

TEST(bottom_up_starts_at_the_base_and_top_down_at_the_end)
{
	struct allocator *allocator = allocator_new("bank", 0x100, 0x1000, 0x20);

	assert_int_equal(take(allocator, 0x40, true), 0x100);
	assert_int_equal(take(allocator, 0x40, false), 0x1100 - 0x40);
	assert_int_equal(take(allocator, 1, true), 0x140);
	assert_int_equal(take(allocator, 1, true), 0x160); /* rounded to the alignment */
	allocator_free(allocator);
}

TEST(base_and_end_are_aligned_inwards)
{
	struct allocator *allocator = allocator_new("bank", 0x101, 0x1000, 0x100);

	assert_int_equal(allocator_usage(allocator).total_bytes, 0xf00);
	assert_int_equal(take(allocator, 0xf00, true), 0x200);
	allocator_free(allocator);
}

TEST(smallest_hole_that_fits_is_used)
{
	struct allocator *allocator = allocator_new("bank", 0, 1000, 1);
	uint64_t a = take(allocator, 100, true), wall1 = take(allocator, 10, true);
	uint64_t b = take(allocator, 50, true), wall2 = take(allocator, 10, true);
	uint64_t c = take(allocator, 50, true), wall3 = take(allocator, 10, true);

	(void)wall1;
	(void)wall2;
	(void)wall3;
	allocator_release(allocator, a);
	allocator_release(allocator, b);
	allocator_release(allocator, c);
	/* b and c are equally small: takes the highest one and its high end, or the lowest */
	assert_int_equal(take(allocator, 40, false), c + 10);
	allocator_release(allocator, c + 10);
	assert_int_equal(take(allocator, 40, true), b);
	assert_int_equal(take(allocator, 40, false), c + 10);
	assert_int_equal(take(allocator, 60, true), a);
	allocator_free(allocator);
}

TEST(neighbours_coalesce_in_every_order)
{
	static const int orders[6][3] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	for (int i = 0; i < 6; i++) {
		struct allocator *allocator = allocator_new("bank", 0, 300, 1);
		uint64_t parts[3] = {take(allocator, 100, true), take(allocator, 100, true),
			take(allocator, 100, true)};

		for (int k = 0; k < 3; k++)
			allocator_release(allocator, parts[orders[i][k]]);
		assert_int_equal(allocator_usage(allocator).free_blocks, 1);
		assert_int_equal(take(allocator, 300, false), 0);
		allocator_free(allocator);
	}
}

TEST(the_peak_is_the_most_that_was_given_out)
{
	struct allocator *allocator = allocator_new("L1", 0, 4096, 16);
	uint64_t first, second, third;

	assert_int_equal(allocator_usage(allocator).peak_used_bytes, 0);
	assert_int_equal(allocator_take(allocator, 100, true, &first, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).peak_used_bytes, 112);
	assert_int_equal(allocator_take(allocator, 200, true, &second, NULL), STATUS_OK);
	allocator_release(allocator, first);
	assert_int_equal(allocator_take(allocator, 16, true, &third, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).peak_used_bytes, 112 + 208);
	allocator_release(allocator, second);
	allocator_release(allocator, third);
	assert_int_equal(allocator_usage(allocator).peak_used_bytes, 112 + 208);
	allocator_free(allocator);
}

TEST(refusal_names_the_numbers)
{
	struct allocator *allocator = allocator_new("DRAM bank", 0, 1000, 1);
	struct text why = {0};
	uint64_t address, low = take(allocator, 400, true);

	take(allocator, 200, true);
	allocator_release(allocator, low);
	assert_int_equal(allocator_take(allocator, 500, true, &address, &why), STATUS_NO_SPACE);
	assert_string_equal(text_string(&why), "DRAM bank: 500 B wanted, 800 of 1000 B free in 2 "
					       "blocks, the largest has 400 B");
	assert_int_equal(
		allocator_take(allocator, UINT64_MAX, true, &address, NULL), STATUS_NO_SPACE);
	assert_int_equal(allocator_usage(allocator).free_bytes, 800);
	text_fini(&why);
	allocator_free(allocator);
}

TEST(what_another_one_gave_is_taken_at_its_address)
{
	struct allocator *allocator = allocator_new("L1", 0x101, 0x1000, 0x20);
	struct text why = {0};

	assert_int_equal(allocator_take_at(allocator, 0x41, 0x200, &why), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).free_bytes, 0xfe0 - 0x60);
	assert_int_equal(allocator_usage(allocator).free_blocks, 2);
	assert_int_equal(allocator_take_at(allocator, 0x20, 0x240, NULL), STATUS_EXISTS);
	assert_int_equal(allocator_take_at(allocator, 0x21, 0x1e0, NULL), STATUS_EXISTS);
	assert_int_equal(allocator_take_at(allocator, 0x20, 0x210, &why), STATUS_OUT_OF_RANGE);
	assert_string_equal(
		text_string(&why), "L1: 32 B at 528, which is not in it, or not aligned");
	assert_int_equal(allocator_take_at(allocator, 0x20, 0x100, NULL), STATUS_OUT_OF_RANGE);
	assert_int_equal(allocator_take_at(allocator, 0x40, 0x10e0, NULL), STATUS_OUT_OF_RANGE);
	assert_int_equal(
		allocator_take_at(allocator, UINT64_MAX, 0x200, NULL), STATUS_OUT_OF_RANGE);
	/* both ends, up to the allocated part */
	assert_int_equal(allocator_take_at(allocator, 0xe0, 0x120, NULL), STATUS_OK);
	assert_int_equal(allocator_take_at(allocator, 0xea0, 0x260, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).free_bytes, 0);
	assert_int_equal(allocator_take_at(allocator, 0x20, 0x120, NULL), STATUS_EXISTS);
	allocator_release(allocator, 0x200);
	assert_int_equal(take(allocator, 0x60, true), 0x200);
	text_fini(&why);
	allocator_free(allocator);
}

enum { ORACLE_UNITS = 512, UNIT = 32, LIVE_MAX = 128 };

static uint32_t oracle_largest(const uint8_t *used)
{
	uint32_t run = 0, largest = 0;

	for (uint32_t i = 0; i < ORACLE_UNITS; i++) {
		run = used[i] ? 0 : run + 1;
		if (run > largest)
			largest = run;
	}
	return largest;
}

/* Returns the length of the free run around unit `at`, before the allocation. */
static uint32_t oracle_hole(const uint8_t *used, uint32_t at)
{
	uint32_t low = at, high = at;

	while (low > 0 && !used[low - 1])
		low--;
	while (high < ORACLE_UNITS && !used[high])
		high++;
	return high - low;
}

/* Returns the length of the smallest free run of at least `units`. */
static uint32_t oracle_best(const uint8_t *used, uint32_t units)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < ORACLE_UNITS; i++)
		if (!used[i]) {
			uint32_t hole = oracle_hole(used, i);

			if (hole >= units && hole < best)
				best = hole;
		}
	return best;
}

TEST(random_runs_agree_with_a_bitmap)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct allocator *allocator = allocator_new("bank", 0, ORACLE_UNITS * UNIT, UNIT);
		uint8_t used[ORACLE_UNITS] = {0};
		struct {
			uint64_t address;
			uint32_t units;
		} live[LIVE_MAX];
		uint32_t count = 0, taken = 0;
		struct stream stream;

		stream_init(&stream, seed, "test/allocator");
		for (int step = 0; step < 3000; step++) {
			uint32_t units = 1 + (uint32_t)stream_below(&stream, 40);
			uint64_t bytes = units * UNIT - stream_below(&stream, UNIT), address;
			enum status status;

			if (count == LIVE_MAX || (count > 0 && stream_below(&stream, 2) == 0)) {
				uint32_t victim = (uint32_t)stream_below(&stream, count);
				uint32_t at = (uint32_t)(live[victim].address / UNIT);

				allocator_release(allocator, live[victim].address);
				memset(&used[at], 0, live[victim].units);
				taken -= live[victim].units;
				live[victim] = live[--count];
				continue;
			}
			status = allocator_take(
				allocator, bytes, stream_below(&stream, 2) == 0, &address, NULL);
			assert_int_equal(status == STATUS_OK, oracle_largest(used) >= units);
			if (status != STATUS_OK)
				continue;
			assert_int_equal(address % UNIT, 0);
			assert_true(address / UNIT + units <= ORACLE_UNITS);
			for (uint32_t i = 0; i < units; i++)
				assert_int_equal(used[address / UNIT + i], 0);
			assert_int_equal(oracle_hole(used, (uint32_t)(address / UNIT)),
				oracle_best(used, units));
			memset(&used[address / UNIT], 1, units);
			live[count].address = address;
			live[count++].units = units;
			taken += units;
			assert_int_equal(allocator_usage(allocator).free_bytes,
				(uint64_t)(ORACLE_UNITS - taken) * UNIT);
			assert_int_equal(allocator_usage(allocator).largest_free_bytes,
				(uint64_t)oracle_largest(used) * UNIT);
		}
		while (count > 0)
			allocator_release(allocator, live[--count].address);
		assert_int_equal(
			allocator_usage(allocator).largest_free_bytes, ORACLE_UNITS * UNIT);
		allocator_free(allocator);
	}
}

TEST(the_low_end_can_be_moved_where_nothing_is_allocated)
{
	struct allocator *allocator = allocator_new("bank", 0x100, 0xf00, 0x20);
	struct text why = {0};
	uint64_t high = take(allocator, 0x100, false), low;

	assert_int_equal(allocator_begin_at(allocator, 0x3f0, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).total_bytes, 0x1000 - 0x400);
	assert_int_equal(allocator_usage(allocator).free_bytes, 0x1000 - 0x400 - 0x100);
	low = take(allocator, 0x20, true);
	assert_int_equal(low, 0x400);
	assert_int_equal(allocator_begin_at(allocator, 0x500, &why), STATUS_NO_SPACE);
	assert_string_equal(text_string(&why), "bank: 256 B are wanted below address 1280");
	assert_int_equal(allocator_begin_at(allocator, 0x200, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).free_blocks, 2);
	allocator_release(allocator, low);
	assert_int_equal(allocator_usage(allocator).largest_free_bytes, 0xf00 - 0x200);
	assert_int_equal(allocator_begin_at(allocator, 0xf00, NULL), STATUS_OK);
	assert_int_equal(allocator_usage(allocator).free_bytes, 0);
	assert_int_equal(allocator_begin_at(allocator, 0x100, NULL), STATUS_OK);
	allocator_release(allocator, high);
	assert_int_equal(allocator_usage(allocator).largest_free_bytes, 0xf00);
	text_fini(&why);
	allocator_free(allocator);
}

TEST(every_call_is_charged_as_work)
{
	struct work_counts before, after;
	struct allocator *allocator = allocator_new("bank", 0, 1000, 1);

	native_world_counts(&before);
	allocator_release(allocator, take(allocator, 10, true));
	native_world_counts(&after);
	assert_int_equal(after.units[WORK_ALLOCATE] - before.units[WORK_ALLOCATE], 2);
	allocator_free(allocator);
}

int main(void)
{
	world = &native_world;
	native_world_start(NULL);
	return TEST_RUN(NULL, NULL);
}
