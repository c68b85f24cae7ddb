/* Tests the descriptions of buffers that kernels receive. A description consists of words; from
 * them, the rule of command/kernel_program.h must give the place of every page, for any layout. If
 * shards are on more tiles than the words can describe, there must be no description. */

#include "test.h"

#include "base/stream.h"
#include "command/kernel_program.h"
#include "programs/library.h"
#include "test_cluster.h"

enum { COLUMNS = 5, ROWS = 4, BANKS = 4, ADDRESS = 0x40000, SEEDS = 500 };

static struct placement placed(const struct cluster_info *info, struct buffer_config config)
{
	struct placement placement;
	uint64_t pages = (uint64_t)config.shard.pages_high * config.shard.pages_wide;

	assert_int_equal(placement_init(&placement, &config, pages * config.page_bytes,
				 info->chips[0].geometry, 32, NULL),
		STATUS_OK);
	return placement;
}

static uint32_t describe(const struct placement *placement, uint32_t words[PAGES_WORDS_MAX])
{
	return pages_describe(&(struct library_buffer){placement, ADDRESS}, words);
}

static void check_page(const uint32_t *words, const struct cluster_info *info,
	const struct placement *placement, uint32_t page)
{
	const struct chip_geometry *geometry = info->chips[0].geometry;
	struct page_place place = placement_page(placement, page);
	uint32_t tile, behind;

	if (words[0] == KERNEL_PAGES_SHARDED) {
		uint32_t row = page / words[4], column = page % words[4];
		uint32_t along = (words[4] + words[6] - 1) / words[6];
		uint32_t shard = row / words[5] * along + column / words[6];

		tile = words[KERNEL_PAGES_SHARDED_WORDS + shard % words[7]];
		behind = shard / words[7] * words[5] * words[6] + row % words[5] * words[6] +
			 column % words[6];
	} else {
		bool dram = words[0] == KERNEL_PAGES_DRAM;
		uint32_t banks = dram ? BANKS : COLUMNS * ROWS;

		tile = dram ? geometry->dram_tiles[page % banks]
			    : geometry->worker_tiles[page % banks];
		behind = page / banks;
	}
	assert_int_equal(tile, place.tile);
	assert_int_equal(words[1] + behind * words[2], ADDRESS + place.offset);
}

static struct buffer_config draw(struct stream *random)
{
	struct buffer_config config = {.type = stream_below(random, 2) ? BUFFER_DRAM : BUFFER_L1,
		.layout = (enum buffer_layout)stream_below(random, BUFFER_LAYOUT_COUNT),
		.page_bytes = 4 + (uint32_t)stream_below(random, 200)};
	struct shard_parameters *shard = &config.shard;

	*shard = (struct shard_parameters){.pages_high = 1 + (uint32_t)stream_below(random, 12),
		.pages_wide = 1 + (uint32_t)stream_below(random, 12),
		.shard_pages_high = 1 + (uint32_t)stream_below(random, 13),
		.shard_pages_wide = 1 + (uint32_t)stream_below(random, 13),
		.cores = {(uint8_t)stream_below(random, COLUMNS),
			(uint8_t)stream_below(random, ROWS), COLUMNS - 1, ROWS - 1},
		.orientation =
			stream_below(random, 2) ? ORIENTATION_ROW_MAJOR : ORIENTATION_COLUMN_MAJOR,
		.round_robin = true};
	if (config.layout == LAYOUT_HEIGHT_SHARDED && shard->shard_pages_wide < shard->pages_wide)
		shard->shard_pages_wide = shard->pages_wide;
	if (config.layout == LAYOUT_WIDTH_SHARDED && shard->shard_pages_high < shard->pages_high)
		shard->shard_pages_high = shard->pages_high;
	return config;
}

TEST(pages_lie_where_their_description_says)
{
	struct test_cluster cluster = {
		1, 1, .worker_columns = COLUMNS, .worker_rows = ROWS, .dram_banks = BANKS};
	struct cluster_info *info = test_cluster_info_new(&cluster);
	uint32_t words[PAGES_WORDS_MAX];
	struct stream random;

	stream_init(&random, 1, "pages");
	for (int i = 0; i < SEEDS; i++) {
		struct placement placement = placed(info, draw(&random));

		assert_true(describe(&placement, words) > 0);
		assert_int_equal(words[3], placement.page_count);
		for (uint32_t page = 0; page < placement.page_count; page++)
			check_page(words, info, &placement, page);
	}
	test_cluster_info_free(info);
}

/* 2 x 3 pages in blocks of 2 x 2: two shards, on the first cores of the second row. */
TEST(a_block_sharded_buffer_is_described)
{
	struct test_cluster cluster = {1, 1, .worker_columns = COLUMNS, .worker_rows = ROWS};
	struct cluster_info *info = test_cluster_info_new(&cluster);
	const uint16_t *tiles = info->chips[0].geometry->worker_tiles;
	struct buffer_config config = {.type = BUFFER_L1,
		.layout = LAYOUT_BLOCK_SHARDED,
		.page_bytes = 60,
		.shard = {.pages_high = 2,
			.pages_wide = 3,
			.shard_pages_high = 2,
			.shard_pages_wide = 2,
			.cores = {0, 1, COLUMNS - 1, 1}}};
	struct placement placement = placed(info, config);
	const uint32_t expected[] = {KERNEL_PAGES_SHARDED, ADDRESS, 64, 6, 3, 2, 2, 2,
		tiles[COLUMNS], tiles[COLUMNS + 1]};
	uint32_t words[PAGES_WORDS_MAX];

	assert_int_equal(describe(&placement, words), sizeof expected / sizeof *expected);
	assert_memory_equal(words, expected, sizeof expected);
	test_cluster_info_free(info);
}

TEST(shards_on_more_tiles_than_words_have_no_description)
{
	enum { WIDE = 20, HIGH = 15, MOST = PAGES_WORDS_MAX - KERNEL_PAGES_SHARDED_WORDS };
	struct test_cluster cluster = {1, 1, .worker_columns = WIDE, .worker_rows = HIGH};
	struct cluster_info *info = test_cluster_info_new(&cluster);
	struct buffer_config config = {.type = BUFFER_L1,
		.layout = LAYOUT_HEIGHT_SHARDED,
		.page_bytes = 64,
		.shard = {.pages_high = MOST,
			.pages_wide = 1,
			.shard_pages_high = 1,
			.shard_pages_wide = 1,
			.cores = {0, 0, WIDE - 1, HIGH - 1}}};
	struct placement placement = placed(info, config);
	uint32_t words[PAGES_WORDS_MAX];

	assert_int_equal(describe(&placement, words), PAGES_WORDS_MAX);
	config.shard.pages_high++;
	placement = placed(info, config);
	assert_int_equal(describe(&placement, words), 0);
	test_cluster_info_free(info);
}

TEST_MAIN(NULL, NULL)
