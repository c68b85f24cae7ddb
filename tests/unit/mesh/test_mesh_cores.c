/* Compares sets of cores with a grid of flags: the cores of the set, the number of cores before a
 * core, and the rectangles, which cover each core of the set exactly once and no other core. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "mesh/program/sub_devices.h"

enum { COLUMNS = 9, ROWS = 7, GRID = COLUMNS * ROWS, ETHERNET = 6, SETS = 3000 };

static void check_count_and_rank(const struct core_set *set)
{
	uint32_t rank = 0;

	for (uint32_t core = 0; core < CORES_MAX; core++) {
		assert_int_equal(core_set_rank(set, core), rank);
		rank += core_set_has(set, core);
	}
	assert_int_equal(core_set_count(set), rank);
}

static void check_rects(const struct core_set *set, uint32_t columns, uint32_t rows)
{
	struct worker_rect rects[CORES_MAX];
	uint32_t count = core_set_rects(set, columns, rows, rects);
	uint32_t covered[CORES_MAX] = {0};

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t row = rects[i].row0; row <= rects[i].row1; row++)
			for (uint32_t column = rects[i].column0; column <= rects[i].column1;
				column++)
				covered[row * columns + column]++;
	for (uint32_t core = 0; core < columns * rows; core++)
		if (covered[core] != core_set_has(set, core))
			fail_msg("core %u is covered %u times", core, covered[core]);
}

TEST(rectangles_cover_each_core_of_a_set_once)
{
	struct stream stream;

	stream_init(&stream, 1, "cores");
	for (uint32_t i = 0; i < SETS; i++) {
		uint32_t columns = 1 + (uint32_t)stream_below(&stream, 16);
		uint32_t rows = 1 + (uint32_t)stream_below(&stream, 16);
		uint32_t gaps = 1 + (uint32_t)stream_below(&stream, 20);
		struct core_set set = {0};

		for (uint32_t core = 0; core < columns * rows; core++)
			if (stream_below(&stream, gaps) > 0)
				core_set_add(&set, core);
		check_count_and_rank(&set);
		check_rects(&set, columns, rows);
	}
}

/* Returns the number of rectangles for the first `count` workers of the grid. */
static uint32_t rects_of_first(uint32_t count)
{
	struct worker_rect rects[CORES_MAX];
	struct core_set set;

	assert_int_equal(core_set_of(&set, (struct cores){.kind = CORES_COUNT, .count = count},
				 COLUMNS, ROWS, 0, NULL),
		STATUS_OK);
	assert_int_equal(core_set_count(&set), count);
	for (uint32_t core = 0; core < GRID; core++)
		assert_int_equal(core_set_has(&set, core), core < count);
	return core_set_rects(&set, COLUMNS, ROWS, rects);
}

TEST(the_first_workers_take_two_rectangles_at_most)
{
	for (uint32_t count = 1; count <= GRID; count++)
		assert_int_equal(rects_of_first(count), count > COLUMNS && count % COLUMNS ? 2 : 1);
}

static struct cores rectangle(uint8_t column0, uint8_t row0, uint8_t column1, uint8_t row1)
{
	return (struct cores){.kind = CORES_RECTANGLE, .rect = {column0, row0, column1, row1}};
}

static enum status set_of(struct core_set *set, struct cores cores)
{
	return core_set_of(set, cores, COLUMNS, ROWS, ETHERNET, NULL);
}

TEST(parts_divide_the_columns_of_a_set)
{
	const struct cores sets[] = {{.kind = CORES_ALL}, {.kind = CORES_COUNT, .count = 5},
		{.kind = CORES_COUNT, .count = 31}, rectangle(2, 1, 8, 3), rectangle(4, 6, 8, 6)};

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		for (uint16_t parts = 1; parts <= 5; parts++) {
			struct core_set whole, part;
			uint32_t sum = 0, seen[GRID] = {0};

			assert_int_equal(set_of(&whole, sets[i]), STATUS_OK);
			for (uint16_t p = 0; p < parts; p++) {
				struct cores cores = sets[i];

				cores.part = p;
				cores.parts = parts;
				assert_int_equal(set_of(&part, cores), STATUS_OK);
				assert_true(core_set_count(&part) > 0);
				sum += core_set_count(&part);
				for (uint32_t core = 0; core < GRID; core++)
					seen[core] += core_set_has(&part, core);
			}
			assert_int_equal(sum, core_set_count(&whole));
			for (uint32_t core = 0; core < GRID; core++)
				assert_int_equal(seen[core], core_set_has(&whole, core));
		}
}

TEST(sets_outside_the_grid_are_refused_and_those_at_its_edge_are_not)
{
	struct core_set set;
	struct cores parts = {.kind = CORES_ALL, .parts = COLUMNS};

	assert_int_equal(set_of(&set, rectangle(8, 6, 8, 6)), STATUS_OK);
	assert_int_equal(core_set_count(&set), 1);
	assert_true(core_set_has(&set, GRID - 1));
	assert_int_equal(set_of(&set, rectangle(8, 6, 9, 6)), STATUS_OUT_OF_RANGE);
	assert_int_equal(set_of(&set, rectangle(8, 6, 8, 7)), STATUS_OUT_OF_RANGE);
	assert_int_equal(set_of(&set, rectangle(3, 3, 2, 3)), STATUS_INVALID);
	assert_int_equal(
		set_of(&set, (struct cores){.kind = CORES_COUNT, .count = GRID}), STATUS_OK);
	assert_int_equal(set_of(&set, (struct cores){.kind = CORES_COUNT, .count = GRID + 1}),
		STATUS_OUT_OF_RANGE);
	assert_int_equal(set_of(&set, (struct cores){.kind = CORES_COUNT}), STATUS_INVALID);
	parts.part = COLUMNS - 1;
	assert_int_equal(set_of(&set, parts), STATUS_OK);
	parts.part = COLUMNS;
	assert_int_equal(set_of(&set, parts), STATUS_INVALID);
	parts = (struct cores){.kind = CORES_ALL, .parts = COLUMNS + 1};
	assert_int_equal(set_of(&set, parts), STATUS_INVALID);
}

TEST(ethernet_cores_have_the_numbers_behind_the_workers)
{
	struct core_set set;
	struct cores cores = {.kind = CORES_ALL, .ethernet = true};

	assert_int_equal(set_of(&set, cores), STATUS_OK);
	for (uint32_t core = 0; core < CORES_MAX; core++)
		assert_int_equal(core_set_has(&set, core), core >= GRID && core < GRID + ETHERNET);
	cores.kind = CORES_COUNT;
	cores.count = ETHERNET;
	assert_int_equal(set_of(&set, cores), STATUS_OK);
	cores.count = ETHERNET + 1;
	assert_int_equal(set_of(&set, cores), STATUS_OUT_OF_RANGE);
	cores.count = 0;
	assert_int_equal(set_of(&set, cores), STATUS_INVALID);
}

TEST_MAIN(NULL, NULL)
