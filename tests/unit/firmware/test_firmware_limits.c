/* Tests the sizes of the firmware's rings and buffers: which sizes are compatible, whether they fit
 * on a tile, and the resources that every stage takes. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/core/stage.h"
#include "firmware/prefetch/prefetch.h"
#include "firmware/resources.h"

static const struct tile_info tiles[] = {{TILE_TENSIX, 0, 0}, {TILE_ETHERNET, 0, 1}};
static const struct chip_geometry geometry = {.tile_count = 2,
	.tiles = tiles,
	.l1_bytes = 1464 * 1024,
	.ethernet_l1_bytes = 256 * 1024,
	.word_bytes = 16 * 1024};

TEST(plain_limits_fit)
{
	struct firmware_limits limits;
	const char *which = NULL;

	firmware_limits_plain(&limits);
	assert_int_equal(firmware_limits_check(&limits, &which, NULL), STATUS_OK);
	assert_null(which);
}

TEST(limits_that_do_not_fit_are_named)
{
	struct {
		const char *name;
		size_t offset;
		uint32_t value;
	} cases[] = {
#define CASE(name, value) {#name, offsetof(struct firmware_limits, name), value}
		CASE(fetch_entries, 0),
		CASE(fetch_entry_bytes, 17),
		CASE(fetch_ring_bytes, 16 * 1024), /* smaller than an entry */
		CASE(fetch_outstanding, 0),
		CASE(scratch_bytes, 16),
		CASE(cache_bytes, 2 << 20),
		CASE(dispatch_ring_bytes, 256),
		CASE(dispatch_page_bytes, 128 * 1024),
		CASE(landing_ring_bytes, 64),
		CASE(spill_bytes, 100),
		CASE(host_write_bytes, 48),
		CASE(credit_batch_bytes, 40 * 1024),
		CASE(circular_buffer_pages, 0),
	};

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct firmware_limits limits;
		const char *which = "none";

		firmware_limits_plain(&limits);
		memcpy((char *)&limits + cases[i].offset, &cases[i].value, sizeof(uint32_t));
		assert_int_equal(firmware_limits_check(&limits, &which, NULL), STATUS_OUT_OF_RANGE);
		assert_string_equal(which, cases[i].name);
	}
}

TEST(a_tile_gives_out_words_bytes_and_processors_until_it_is_full)
{
	struct tile_plan plan;
	uint32_t first, second;
	uint8_t processor;

	tile_plan_init(&plan, &geometry, 1);
	assert_int_equal(tile_plan_words(&plan, 3, &first), STATUS_OK);
	assert_int_equal(tile_plan_words(&plan, 1, &second), STATUS_OK);
	assert_int_equal(second, first + 12);
	assert_int_equal(tile_plan_words(&plan, 4096, &second), STATUS_NO_SPACE);
	assert_int_equal(tile_plan_bytes(&plan, 100, &first), STATUS_OK);
	assert_true(first >= geometry.word_bytes && first % 64 == 0);
	assert_int_equal(tile_plan_bytes(&plan, 1, &second), STATUS_OK);
	assert_int_equal(second, first + 128);
	assert_int_equal(tile_plan_bytes(&plan, 240 * 1024, &second), STATUS_NO_SPACE);
	assert_int_equal(tile_plan_processor(&plan, &processor), STATUS_OK);
	assert_int_equal(processor, 0);
	assert_int_equal(tile_plan_processor(&plan, &processor), STATUS_NO_SPACE); /* Ethernet */
	tile_plan_init(&plan, &geometry, 0);
	for (uint32_t i = 0; i < TILE_PROCESSORS; i++) {
		assert_int_equal(tile_plan_processor(&plan, &processor), STATUS_OK);
		assert_int_equal(processor, i);
	}
	assert_int_equal(tile_plan_processor(&plan, &processor), STATUS_NO_SPACE);
}

TEST(a_prefetcher_that_does_not_fit_is_refused)
{
	struct prefetch_layout layout;
	struct firmware_limits limits;
	struct tile_plan plan;

	firmware_limits_plain(&limits);
	tile_plan_init(&plan, &geometry, 0);
	assert_int_equal(prefetch_place(&plan, PREFETCH_ROLE_HD, &limits, &layout), STATUS_OK);
	tile_plan_init(&plan, &geometry, 1);
	assert_int_equal(
		prefetch_place(&plan, PREFETCH_ROLE_HD, &limits, &layout), STATUS_NO_SPACE);
}

TEST(every_stage_says_what_it_takes)
{
	struct stage_resources row;
	struct firmware_limits limits;
	size_t count = 0;

	firmware_limits_plain(&limits);
	for (; stage_resources_row(count, &limits, 64, 2, &row); count++) {
		assert_int_equal(row.processors, 1);
		assert_true(
			row.words > 0 && (row.l1_bytes > 0 || strcmp(row.role, "dispatch_s") == 0));
	}
	assert_int_equal(count, 10);
}

static struct stage_resources resources_of(
	const char *role, const struct firmware_limits *limits, uint32_t receivers, uint32_t inputs)
{
	struct stage_resources row;

	for (size_t i = 0; stage_resources_row(i, limits, receivers, inputs, &row); i++)
		if (strcmp(row.role, role) == 0)
			return row;
	fail_msg("no stage is a %s", role);
	return row;
}

TEST(resources_follow_from_limits)
{
	struct stage_resources before, after;
	struct firmware_limits limits;

	firmware_limits_plain(&limits);
	before = resources_of("packetizer", &limits, 64, 1);
	after = resources_of("packetizer", &limits, 1024, 1);
	assert_int_equal(after.words - before.words, 2 * 960);
	before = resources_of("depacketizer", &limits, 1, 1);
	assert_int_equal(before.dram_bytes, limits.spill_bytes);
	limits.spill_bytes = 0;
	after = resources_of("depacketizer", &limits, 1, 1);
	assert_int_equal(after.dram_bytes, 0);
	assert_int_equal(before.l1_bytes - after.l1_bytes, limits.spill_scratch_bytes);
	before = resources_of("dispatcher", &limits, 1, 1);
	after = resources_of("dispatcher", &limits, 1, 2);
	assert_int_equal(after.l1_bytes - before.l1_bytes, limits.dispatch_ring_bytes);
}

TEST_MAIN(NULL, NULL)
