/* Tests paths over the two NoCs of a chip with 10x12 routers. Formulas give the expected path
 * between every pair of tiles, and the expected trees of multicasts. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "chip/noc/links.h"

enum { COLUMNS = 10, ROWS = 12, TILES = COLUMNS * ROWS, LINKS = TILES * 2 * NOC_COUNT };

static struct tile_info tiles[TILES];
static uint16_t workers[TILES];
static const struct chip_geometry geometry = {.tile_count = TILES,
	.tiles = tiles,
	.worker_columns = COLUMNS,
	.worker_rows = ROWS,
	.worker_tiles = workers};

static struct {
	struct sim_grid *grids, *grid;
	struct noc_step steps[LINKS];
	uint32_t seen[LINKS];
	struct noc_way way;
	struct sim_links links;
} one;

static int setup(void **state)
{
	(void)state;
	for (uint16_t i = 0; i < TILES; i++) {
		workers[i] = i;
		tiles[i] = (struct tile_info){
			TILE_TENSIX, (uint8_t)(i % COLUMNS), (uint8_t)(i / COLUMNS)};
	}
	one.grid = sim_grid_of(&one.grids, &geometry);
	one.way.steps = one.steps;
	one.links.seen = one.seen;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	sim_grids_free(one.grids);
	return 0;
}

static uint32_t distance(uint32_t noc, uint32_t from, uint32_t to, uint32_t size)
{
	return (noc == 0 ? to + size - from : from + size - to) % size;
}

/* Checks that each link of the path begins where the previous one ended. On NoC 0, the links along
 * the row come first; on NoC 1, those along the column. */
static void follow(uint32_t noc, uint16_t from, uint16_t to)
{
	uint32_t x = tiles[from].x, y = tiles[from].y;
	uint32_t across = distance(noc, x, tiles[to].x, COLUMNS);
	uint32_t along = distance(noc, y, tiles[to].y, ROWS);
	uint32_t turn = noc == 0 ? across : along;

	check_equal(one.way.count, across + along);
	for (uint32_t i = 0; i < one.way.count; i++) {
		uint32_t column = noc == 0 ? i >= turn : i < turn;

		check_equal(one.steps[i].hops, i);
		check_equal(one.steps[i].link, sim_noc_link(one.grid, noc, x, y, column));
		if (column)
			y = (y + (noc == 0 ? 1 : ROWS - 1)) % ROWS;
		else
			x = (x + (noc == 0 ? 1 : COLUMNS - 1)) % COLUMNS;
	}
	check_equal(x, tiles[to].x);
	check_equal(y, tiles[to].y);
}

TEST(every_pair_has_the_links_between_it_in_the_order_of_dimensions)
{
	for (uint32_t noc = 0; noc < NOC_COUNT; noc++)
		for (uint16_t from = 0; from < TILES; from++)
			for (uint16_t to = 0; to < TILES; to++) {
				sim_way_unicast(one.grid, noc, from, to, &one.way);
				follow(noc, from, to);
			}
}

TEST(noc_0_has_the_hops_that_latencies_are_of_and_noc_1_those_back)
{
	for (uint16_t from = 0; from < TILES; from++)
		for (uint16_t to = 0; to < TILES; to++) {
			sim_way_unicast(one.grid, 0, from, to, &one.way);
			check_equal(one.way.count, sim_grid_hops(one.grid, from, to));
			sim_way_unicast(one.grid, 1, from, to, &one.way);
			check_equal(one.way.count, sim_grid_hops(one.grid, to, from));
		}
}

/* Checks the number of links in the tree of a multicast, and that the tree has each link only once.
 * On NoC 0, the trunk leads along the source's row to the farthest column, and a branch in each
 * column leads to the farthest row. On NoC 1, rows and columns change places. */
static void tree(uint32_t noc, uint16_t source, struct worker_rect rect)
{
	const struct sim_multicast *multicast = sim_grid_multicast(one.grid, source, rect);
	uint32_t across = 0, along = 0, wide = rect.column1 - rect.column0 + 1u,
		 high = rect.row1 - rect.row0 + 1u;
	bool had[LINKS] = {false};

	for (uint32_t i = 0; i < multicast->count; i++) {
		const struct tile_info *to = &tiles[multicast->tiles[i]];
		uint32_t right = distance(noc, tiles[source].x, to->x, COLUMNS);
		uint32_t down = distance(noc, tiles[source].y, to->y, ROWS);

		across = right > across ? right : across;
		along = down > along ? down : along;
	}
	sim_way_multicast(&one.links, one.grid, noc, multicast, &one.way);
	check_equal(one.way.count, noc == 0 ? across + wide * along : along + high * across);
	for (uint32_t i = 0; i < one.way.count; i++) {
		check(!had[one.steps[i].link], "link %u is twice in a tree", one.steps[i].link);
		had[one.steps[i].link] = true;
	}
}

TEST(a_multicast_has_every_link_of_its_tree_once)
{
	static const struct worker_rect rects[] = {{0, 0, COLUMNS - 1, ROWS - 1}, {1, 1, 4, 3},
		{3, 5, 3, 5}, {8, 10, 9, 11}, {0, 4, COLUMNS - 1, 4}, {6, 0, 6, ROWS - 1}};

	for (uint32_t noc = 0; noc < NOC_COUNT; noc++)
		for (uint16_t source = 0; source < TILES; source++)
			for (size_t i = 0; i < sizeof rects / sizeof *rects; i++)
				tree(noc, source, rects[i]);
}

TEST_MAIN(setup, teardown)
