/* Tests memory/placement.h and memory/mesh_layout.h. In a placement, no two pages overlap, and
 * height shards follow the order of the cores, row-major or column-major. A placement_walk visits
 * every page once, in the order of slots and offsets. In a mesh layout, the shards partition the
 * buffer: after a gather and a scatter of all shards, the buffer is as before. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "test_cluster.h"
#include "world/native/native.h"
#include "spread_scatter.h"

static struct cluster_info *info;

static const struct chip_geometry *geometry(void)
{
	return info->chips[0].geometry;
}

/* Every page lies inside its slot and overlaps no other. */
static void check_conservation(const struct placement *placement)
{
	uint64_t slot_bytes = placement_slot_bytes(placement);
	uint32_t places = (uint32_t)(slot_bytes / placement->page_stride) * placement->slot_count;
	uint8_t *used = calloc(places, 1);

	for (uint32_t page = 0; page < placement->page_count; page++) {
		struct page_place place = placement_page(placement, page);
		uint32_t at;

		assert_true(place.slot < placement->slot_count);
		assert_int_equal(place.offset % placement->page_stride, 0);
		assert_true(place.offset + placement->page_stride <= slot_bytes);
		at = place.slot * placement->pages_per_slot +
		     (uint32_t)(place.offset / placement->page_stride);
		assert_int_equal(used[at], 0);
		used[at] = 1;
	}
	free(used);
}

static void check_run(const struct placement *placement, const struct page_run *run)
{
	for (uint32_t i = 0; i < run->count; i++) {
		struct page_place place = placement_page(placement, run->page + i);

		assert_int_equal(place.tile, run->place.tile);
		assert_int_equal(place.slot, run->place.slot);
		assert_int_equal(
			place.offset, run->place.offset + i * (uint64_t)placement->page_stride);
	}
}

/* Checks that the walk visits every page once, in the order of slots and, within a slot, of
 * offsets. Also checks that pages which the walk returns together are contiguous in memory. */
static void check_walk(const struct placement *placement, uint32_t most)
{
	struct placement_walk walk = {.placement = placement};
	uint8_t *met = calloc(placement->page_count, 1);
	uint32_t pages = 0, count, runs;
	struct page_place place;
	int64_t slot = -1, end = 0;
	struct page_run run;

	while ((count = placement_walk_stretch(&walk, most, &place, &runs)) > 0) {
		assert_true(count <= most);
		assert_true(
			place.slot > slot || (place.slot == slot && (int64_t)place.offset >= end));
		slot = place.slot;
		for (uint32_t done = 0; done < count; done += run.count, runs--) {
			assert_true(placement_walk_next(&walk, count - done, &run));
			check_run(placement, &run);
			assert_int_equal(run.place.slot, place.slot);
			assert_int_equal(run.place.offset,
				place.offset + done * (uint64_t)placement->page_stride);
			for (uint32_t i = 0; i < run.count; i++)
				assert_int_equal(met[run.page + i]++, 0);
		}
		assert_int_equal(runs, 0);
		end = (int64_t)(place.offset + count * (uint64_t)placement->page_stride);
		pages += count;
	}
	assert_int_equal(pages, placement->page_count);
	assert_false(placement_walk_next(&walk, 1, &run));
	free(met);
}

TEST(interleaved_pages_go_round_the_banks)
{
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = 100};
	struct placement placement;

	assert_int_equal(
		placement_init(&placement, &config, 1000, geometry(), 32, NULL), STATUS_OK);
	assert_int_equal(placement.page_stride, 128);
	assert_int_equal(placement.pages_per_slot, 3);
	for (uint32_t page = 0; page < 10; page++) {
		struct page_place place = placement_page(&placement, page);

		assert_int_equal(place.tile, geometry()->dram_tiles[page % 4]);
		assert_int_equal(place.offset, page / 4 * 128);
	}
	check_conservation(&placement);
}

/* Pages of 64 B in L1. */
static struct buffer_config high_shards(struct shard_parameters shard)
{
	return (struct buffer_config){.type = BUFFER_L1,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.page_bytes = 64,
		.shard = shard};
}

TEST(height_shards_follow_the_walk_over_cores)
{
	struct buffer_config config = high_shards((struct shard_parameters){.pages_high = 8,
		.pages_wide = 2,
		.shard_pages_high = 2,
		.shard_pages_wide = 2,
		.cores = {1, 1, 2, 2}});
	struct placement placement;
	const uint16_t *tiles = geometry()->worker_tiles;

	assert_int_equal(
		placement_init(&placement, &config, 16 * 64, geometry(), 16, NULL), STATUS_OK);
	assert_int_equal(placement_page(&placement, 0).tile, tiles[1 * 4 + 1]);
	assert_int_equal(placement_page(&placement, 4).tile, tiles[1 * 4 + 2]);
	assert_int_equal(placement_page(&placement, 8).tile, tiles[2 * 4 + 1]);
	assert_int_equal(placement_page(&placement, 15).offset, 3 * 64);
	check_conservation(&placement);
	config.shard.orientation = ORIENTATION_COLUMN_MAJOR;
	assert_int_equal(
		placement_init(&placement, &config, 16 * 64, geometry(), 16, NULL), STATUS_OK);
	assert_int_equal(placement_page(&placement, 4).tile, tiles[2 * 4 + 1]);
	assert_int_equal(placement_page(&placement, 8).tile, tiles[1 * 4 + 2]);
}

TEST(shards_that_are_more_than_banks_are_dealt_again)
{
	struct buffer_config config = {.type = BUFFER_DRAM,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.page_bytes = 64,
		.shard = {.pages_high = 23,
			.pages_wide = 1,
			.shard_pages_high = 2,
			.shard_pages_wide = 1}};
	struct placement placement;
	struct placement_walk walk = {.placement = &placement};
	struct page_place place;
	uint32_t runs;

	assert_int_equal(placement_init(&placement, &config, 23 * 64, geometry(), 32, NULL),
		STATUS_OUT_OF_RANGE);
	config.shard.round_robin = true;
	assert_int_equal(
		placement_init(&placement, &config, 23 * 64, geometry(), 32, NULL), STATUS_OK);
	assert_int_equal(placement_slot_bytes(&placement), 3 * 2 * 64);
	for (uint32_t page = 0; page < 23; page++) {
		assert_int_equal(placement_page(&placement, page).tile,
			geometry()->dram_tiles[page / 2 % 4]);
		assert_int_equal(
			placement_page(&placement, page).offset, (page / 8 * 2 + page % 2) * 64);
	}
	check_conservation(&placement);
	check_walk(&placement, UINT32_MAX);
	/* 0 1, 8 9, 16 17: one piece on the device, three on the host */
	assert_int_equal(placement_walk_stretch(&walk, UINT32_MAX, &place, &runs), 6);
	assert_int_equal(runs, 3);
}

TEST(random_shards_conserve_pages)
{
	struct stream stream;

	stream_init(&stream, 1, "test/placement");
	for (int i = 0; i < 400; i++) {
		struct buffer_config config = {
			.type = stream_below(&stream, 2) ? BUFFER_DRAM : BUFFER_L1,
			.layout = (enum buffer_layout)stream_below(&stream, BUFFER_LAYOUT_COUNT),
			.page_bytes = 1 + (uint32_t)stream_below(&stream, 200),
			.shard = {.pages_high = 1 + (uint32_t)stream_below(&stream, 20),
				.pages_wide = 1 + (uint32_t)stream_below(&stream, 20),
				.cores = {0, 0, 3, 2},
				.orientation = (enum orientation)stream_below(&stream, 2),
				.round_robin = stream_below(&stream, 2)}};
		struct shard_parameters *shard = &config.shard;
		struct placement placement;
		enum status status;

		shard->shard_pages_high = 1 + (uint32_t)stream_below(&stream, 20);
		shard->shard_pages_wide = 1 + (uint32_t)stream_below(&stream, 20);
		if (config.layout == LAYOUT_HEIGHT_SHARDED)
			shard->shard_pages_wide = shard->pages_wide;
		if (config.layout == LAYOUT_WIDTH_SHARDED)
			shard->shard_pages_high = shard->pages_high;
		status = placement_init(&placement, &config,
			(uint64_t)shard->pages_high * shard->pages_wide * config.page_bytes,
			geometry(), 32, NULL);
		if (status == STATUS_OK) {
			check_conservation(&placement);
			if (config.layout != LAYOUT_INTERLEAVED)
				check_walk(&placement, 1 + (uint32_t)stream_below(&stream, 9));
		} else /* the only valid reason */
			assert_true(!shard->round_robin &&
				    placement.shards_high * placement.shards_wide >
					    (config.type == BUFFER_DRAM ? 4 : 12));
	}
}

TEST(wrong_shards_are_refused_with_a_sentence)
{
	struct buffer_config config = high_shards((struct shard_parameters){.pages_high = 4,
		.pages_wide = 4,
		.shard_pages_high = 1,
		.shard_pages_wide = 2,
		.cores = {0, 0, 3, 2}});
	struct placement placement;
	struct text why = {0};

	assert_int_equal(
		placement_init(&placement, &config, 16 * 64, geometry(), 16, &why), STATUS_INVALID);
	assert_string_equal(
		text_string(&why), "height-sharded: a shard is 2 pages wide, the buffer 4");
	assert_int_equal(
		placement_init(&placement, &config, 15 * 64, geometry(), 16, NULL), STATUS_INVALID);
	assert_int_equal(
		placement_init(&placement, &config, 63, geometry(), 16, NULL), STATUS_INVALID);
	config.shard.shard_pages_wide = 4;
	config.shard.cores.column1 = 4;
	assert_int_equal(placement_init(&placement, &config, 16 * 64, geometry(), 16, NULL),
		STATUS_OUT_OF_RANGE);
	config.shard.cores = (struct worker_rect){0, 0, 2, 0};
	assert_int_equal(placement_init(&placement, &config, 16 * 64, geometry(), 16, NULL),
		STATUS_OUT_OF_RANGE);
	text_fini(&why);
}

TEST(mesh_shards_partition_the_global_buffer)
{
	for (int orientation = 0; orientation < 2; orientation++) {
		struct mesh_layout layout = {.sharded = true,
			.size_bytes = 8 * 12 * 4,
			.global_height = 8,
			.global_width = 12,
			.shard_height = 4,
			.shard_width = 4,
			.orientation = (enum orientation)orientation};
		uint8_t global[8 * 12 * 4], back[8 * 12 * 4], local[4 * 4 * 4];
		struct mesh_spread spread;

		for (size_t i = 0; i < sizeof(global); i++)
			global[i] = (uint8_t)(i * 7 + 1);
		memset(back, 0, sizeof(back));
		assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, NULL), STATUS_OK);
		assert_int_equal(spread.device_bytes, sizeof(local));
		for (uint32_t row = 0; row < 2; row++)
			for (uint32_t column = 0; column < 3; column++) {
				mesh_spread_gather(&spread, row, column, global, local);
				spread_scatter(&spread, row, column, local, back);
			}
		assert_memory_equal(global, back, sizeof(global));
		/* second shard of the upper row: on device 0,1 or, column-major, on 1,0 */
		mesh_spread_gather(
			&spread, orientation ? 1 : 0, orientation ? 0 : 1, global, local);
		assert_int_equal(local[0], global[4 * 4]);
	}
}

TEST(mesh_shards_replicate_along_a_zero_dimension)
{
	struct mesh_layout layout = {.sharded = true,
		.size_bytes = 4 * 6,
		.global_height = 4,
		.global_width = 6,
		.shard_height = 0,
		.shard_width = 2};
	struct shard_rows a, b;
	struct mesh_spread spread;

	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, NULL), STATUS_OK);
	assert_true(mesh_spread_shard(&spread, 0, 1, &a));
	assert_true(mesh_spread_shard(&spread, 1, 1, &b));
	assert_int_equal(a.first_byte, 2);
	assert_int_equal(b.first_byte, 2);
	assert_int_equal(a.rows, 4);
	layout.shard_width = 1; /* six shards on three columns */
	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, NULL), STATUS_OUT_OF_RANGE);
}

TEST(partial_mesh_shards_are_refused)
{
	struct mesh_layout layout = {.sharded = true,
		.size_bytes = 10 * 10,
		.global_height = 10,
		.global_width = 10,
		.shard_height = 5,
		.shard_width = 4};
	struct mesh_spread spread;
	struct text why = {0};

	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, &why), STATUS_INVALID);
	assert_string_equal(
		text_string(&why), "shards of 5 x 4 do not divide a buffer of 10 x 10 evenly");
	layout.shard_width = 2;
	text_clear(&why);
	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, &why), STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why), "2 x 5 shards do not fit on 2 x 3 devices");
	layout.size_bytes = 101;
	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, NULL), STATUS_INVALID);
	layout.size_bytes = 0;
	layout.sharded = false;
	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 3, NULL), STATUS_INVALID);
	text_fini(&why);
}

/* Rows, columns and elements may exceed 2^32; more than 2^64 elements are rejected. */
TEST(mesh_buffers_have_extents_of_64_bits)
{
	struct mesh_layout layout = {.sharded = true,
		.size_bytes = UINT64_C(12) << 32,
		.global_height = UINT64_C(3) << 32,
		.global_width = 4,
		.shard_height = UINT64_C(3) << 31,
		.shard_width = 2};
	struct mesh_spread spread;
	struct shard_rows rows;

	assert_int_equal(mesh_spread_init(&spread, &layout, 2, 2, NULL), STATUS_OK);
	assert_int_equal(spread.device_bytes, UINT64_C(3) << 32);
	assert_true(mesh_spread_shard(&spread, 1, 1, &rows));
	assert_int_equal(rows.rows, UINT64_C(3) << 31);
	assert_int_equal(rows.first_byte, (UINT64_C(3) << 33) + 2);
	layout = (struct mesh_layout){.sharded = true,
		.size_bytes = UINT64_C(5) << 33,
		.global_height = 1,
		.global_width = 2,
		.shard_height = 1,
		.shard_width = 1};
	assert_int_equal(mesh_spread_init(&spread, &layout, 1, 2, NULL), STATUS_OK);
	assert_int_equal(spread.device_bytes, UINT64_C(5) << 32);
	layout.global_height = UINT64_C(1) << 60;
	layout.global_width = 16 + 1;
	assert_int_equal(mesh_spread_init(&spread, &layout, 1, 2, NULL), STATUS_INVALID);
}

TEST(devices_beyond_the_last_shard_hold_nothing)
{
	struct mesh_layout layout = {.sharded = true,
		.size_bytes = 16,
		.global_height = 4,
		.global_width = 4,
		.shard_height = 2,
		.shard_width = 2};
	struct mesh_spread spread;
	struct shard_rows rows;
	uint32_t holders = 0;

	assert_int_equal(mesh_spread_init(&spread, &layout, 3, 3, NULL), STATUS_OK);
	for (uint32_t i = 0; i < 9; i++)
		holders += mesh_spread_shard(&spread, i / 3, i % 3, &rows);
	assert_int_equal(holders, 4);
	assert_false(mesh_spread_shard(&spread, 1, 1, &rows));
}

int main(void)
{
	const struct test_cluster config = {.rows = 1, .columns = 1};
	int failed;

	world = &native_world;
	native_world_start(NULL);
	info = test_cluster_info_new(&config);
	failed = TEST_RUN(NULL, NULL);
	test_cluster_info_free(info);
	return failed;
}
