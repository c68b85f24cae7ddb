/* Tests the places that launches get in the workers' config ring and in the prefetchers' kernel
 * cache, by comparison with a record of every byte. If an earlier launch may still use bytes of a
 * launch's place, the launch must wait for exactly this earlier launch. Otherwise it must not wait.
 */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "mesh/device/config_ring.h"

enum { BASE = 4096, BYTES = 64 * 20, STEPS = 4000, CACHE = 1000, IMAGES = 40 };

struct taken {
	uint32_t begin, end, run;
};

/* All launches so far, the latest last. */
static struct taken taken[STEPS];
static uint32_t taken_count;

/* Gets the latest launch from `oldest` on that has a byte of [begin, end). */
static bool live_user(uint32_t begin, uint32_t end, uint32_t oldest, uint32_t *run)
{
	for (uint32_t i = taken_count; i-- > 0 && taken[i].run >= oldest;)
		if (taken[i].begin < end && begin < taken[i].end) {
			*run = taken[i].run;
			return true;
		}
	return false;
}

/* Counts launches from `oldest` on. */
static uint32_t live_count(uint32_t oldest)
{
	uint32_t count = 0;

	while (count < taken_count && taken[taken_count - 1 - count].run >= oldest)
		count++;
	return count;
}

static void check_place(uint32_t begin, uint32_t end, uint32_t expected, uint32_t step)
{
	if (begin % CONFIG_RING_ALIGN != 0 || begin != expected || end > BASE + BYTES)
		fail_msg("step %u: place %u..%u instead of %u", step, begin, end, expected);
}

/* Checks that `use` names the latest launch that may still use the place. If this launch is no
 * longer in the history, `use` must name a later one instead: when that is complete, all older
 * launches are complete, too. */
static void check_use(
	uint32_t begin, uint32_t end, uint32_t oldest, struct config_use use, uint32_t step)
{
	uint32_t user = 0;
	bool live = live_user(begin, end, oldest, &user);
	bool known = live && user >= taken[taken_count - (taken_count < CONFIG_RING_HISTORY
									 ? taken_count
									 : CONFIG_RING_HISTORY)]
					     .run;

	if (known && (!use.used || use.run != user))
		fail_msg("step %u: launch %u is in the place, %s %u is named", step, user,
			use.used ? "launch" : "none, not even", use.run);
	if (live && !use.used)
		fail_msg("step %u: launch %u is in the place, none is named", step, user);
	if (live && use.run < user)
		fail_msg("step %u: launch %u is in the place, %u is named", step, user, use.run);
	if (!live && use.used && live_count(oldest) < CONFIG_RING_HISTORY)
		fail_msg("step %u: nobody is in the place, launch %u is named", step, use.run);
}

TEST(a_place_names_the_latest_launch_that_may_still_use_it)
{
	struct config_ring ring;
	struct stream stream;
	uint32_t next = BASE, run = 0;

	stream_init(&stream, 1, "config ring");
	config_ring_init(&ring, BASE, BYTES);
	taken_count = 0;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t most = step % 3 == 0 ? BYTES : BYTES / 6;
		uint32_t bytes = 1 + (uint32_t)stream_below(&stream, most), begin, oldest;
		uint32_t padded =
			(bytes + CONFIG_RING_ALIGN - 1) / CONFIG_RING_ALIGN * CONFIG_RING_ALIGN;
		struct config_use use;

		run += 1 + (uint32_t)stream_below(&stream, 2);
		oldest = run - (uint32_t)stream_below(&stream, run < 14 ? run + 1 : 14);
		begin = config_ring_take(&ring, bytes, run, oldest, &use);
		if (next + padded > BASE + BYTES)
			next = BASE;
		check_place(begin, begin + padded, next, step);
		check_use(begin, begin + padded, oldest, use, step);
		next = begin + padded;
		taken[taken_count++] = (struct taken){begin, begin + padded, run};
	}
}

TEST(an_exact_fit_is_taken_without_wrapping)
{
	struct config_ring ring;
	struct config_use use;

	config_ring_init(&ring, BASE, BYTES);
	assert_int_equal(config_ring_take(&ring, BYTES - 128, 1, 1, &use), BASE);
	assert_false(use.used);
	assert_int_equal(config_ring_take(&ring, 128, 2, 1, &use), BASE + BYTES - 128);
	assert_false(use.used);
	assert_int_equal(config_ring_take(&ring, 64, 3, 1, &use), BASE);
	assert_true(use.used);
	assert_int_equal(use.run, 1);
	assert_int_equal(config_ring_take(&ring, BYTES, 4, 1, &use), BASE);
	assert_int_equal(use.run, 3);
}

TEST(a_launch_that_fills_the_ring_is_in_every_place)
{
	struct config_ring ring;
	struct config_use use;

	config_ring_init(&ring, BASE, BYTES);
	config_ring_take(&ring, 64, 1, 1, &use);
	config_ring_fill(&ring, 5);
	assert_int_equal(config_ring_take(&ring, 64, 6, 5, &use), BASE);
	assert_true(use.used);
	assert_int_equal(use.run, 5);
	config_ring_take(&ring, 64, 7, 6, &use);
	assert_false(use.used);
}

/* ---- kernel cache ---- */

/* The image that owns each byte. */
static uint32_t cached[CACHE];

static bool still_there(uint32_t image, uint32_t at, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (cached[at + i] != image)
			return false;
	return true;
}

TEST(the_cache_holds_an_image_until_its_first_byte_is_written_over)
{
	struct kernel_cache cache = {.bytes = CACHE};
	uint64_t places[IMAGES];
	uint32_t sizes[IMAGES], hits = 0, misses = 0;
	struct stream stream;

	stream_init(&stream, 1, "kernel cache");
	for (uint32_t i = 0; i < IMAGES; i++) {
		places[i] = KERNEL_CACHE_NEVER;
		sizes[i] = i == 0 ? CACHE : 1 + (uint32_t)stream_below(&stream, 300);
	}
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t image = (uint32_t)stream_below(&stream, step % 50 == 0 ? IMAGES : 6), at;
		bool before = places[image] != KERNEL_CACHE_NEVER &&
			      still_there(image + 1, kernel_cache_offset(&cache, places[image]),
				      sizes[image]);
		bool held = kernel_cache_take(&cache, sizes[image], &places[image]);

		/* the skipped rest at the end may still hold bytes of an old image */
		if (held && !before)
			fail_msg("step %u: image %u is not there any more", step, image);
		at = kernel_cache_offset(&cache, places[image]);
		assert_in_range(at, 0, CACHE - sizes[image]);
		for (uint32_t i = 0; i < sizes[image]; i++)
			cached[at + i] = image + 1;
		hits += held;
		misses += !held;
	}
	assert_true(hits > STEPS / 20);
	assert_true(misses > STEPS / 20);
}

TEST(the_cache_holds_as_much_as_it_has_room_for)
{
	struct kernel_cache cache = {.bytes = CACHE};
	uint64_t first = KERNEL_CACHE_NEVER, second = KERNEL_CACHE_NEVER;
	uint64_t third = KERNEL_CACHE_NEVER;

	assert_false(kernel_cache_take(&cache, CACHE / 2, &first));
	assert_false(kernel_cache_take(&cache, CACHE / 2, &second));
	assert_true(kernel_cache_take(&cache, CACHE / 2, &first));
	assert_false(kernel_cache_take(&cache, 1, &third));
	assert_true(kernel_cache_take(&cache, CACHE / 2, &second));
	assert_false(kernel_cache_take(&cache, CACHE / 2, &first));
	kernel_cache_forget(&cache);
	assert_false(kernel_cache_take(&cache, 1, &third));
	assert_int_equal(kernel_cache_offset(&cache, third), 0);
}

TEST_MAIN(NULL, NULL)
