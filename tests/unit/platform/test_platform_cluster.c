/* Tests the chips, tiles, connections and gateways that are made from a platform. */
#define _GNU_SOURCE
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "diag_text.h"
#include "toy_platform.h"

struct fixture {
	struct diag *diag;
	struct tree *tree;
	struct platform *platform;
	const struct cluster_info *cluster;
};

static struct fixture open_toy(const char *what, const char *with)
{
	struct fixture fixture = {.diag = diag_new()};
	char *text = toy_platform_with(what, with);

	fixture.platform = toy_platform_read(text, fixture.diag, &fixture.tree);
	assert_diag_prints(fixture.diag, "");
	fixture.cluster = platform_cluster(fixture.platform);
	free(text);
	return fixture;
}

static void close_toy(struct fixture *fixture)
{
	platform_free(fixture->platform);
	tree_free(fixture->tree);
	diag_free(fixture->diag);
}

TEST(tiles_are_numbered_along_the_grid)
{
	struct fixture toy = open_toy("name: toy", "name: toy");
	const struct chip_geometry *geometry = toy.cluster->chips[0].geometry;
	static const uint16_t workers[] = {5, 6, 9, 10}, dispatch[] = {17, 18}, dram[] = {4, 8};

	assert_int_equal(geometry->tile_count, 20);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(geometry->tiles[i].x, i % 4);
		assert_int_equal(geometry->tiles[i].y, i / 4);
	}
	assert_int_equal(geometry->worker_columns, 2);
	assert_int_equal(geometry->worker_rows, 2);
	assert_memory_equal(geometry->worker_tiles, workers, sizeof(workers));
	assert_int_equal(geometry->dispatch_tile_count, 2);
	assert_memory_equal(geometry->dispatch_tiles, dispatch, sizeof(dispatch));
	assert_int_equal(geometry->dram_bank_count, 2);
	assert_memory_equal(geometry->dram_tiles, dram, sizeof(dram));
	assert_int_equal(geometry->pcie_tile, 12);
	assert_int_equal(geometry->tiles[12].kind, TILE_PCIE);
	assert_int_equal(geometry->tiles[4].kind, TILE_DRAM);
	assert_int_equal(geometry->tiles[1].kind, TILE_ETHERNET);
	assert_int_equal(geometry->tiles[9].kind, TILE_TENSIX);
	assert_int_equal(geometry->tiles[18].kind, TILE_TENSIX);
	assert_int_equal(geometry->tiles[13].kind, TILE_OTHER);
	assert_int_equal(geometry->l1_bytes, 256 << 10);
	assert_int_equal(geometry->ethernet_l1_bytes, 64 << 10);
	assert_int_equal(geometry->dram_bank_bytes, 1 << 20);
	assert_int_equal(geometry->word_bytes, 4096);
	assert_int_equal(geometry->worker_l1_base, 8192);
	assert_int_equal(toy.cluster->fabric_packet_bytes, 4352);
	close_toy(&toy);
}

TEST(harvested_rows_hold_nothing)
{
	struct fixture toy =
		open_toy("dispatch_rows: 1", "dispatch_rows: 1\n  harvested_rows: [2]");
	const struct chip_geometry *geometry = toy.cluster->chips[0].geometry;
	static const uint16_t workers[] = {5, 6}, dispatch[] = {9, 10};

	assert_int_equal(geometry->worker_rows, 1);
	assert_memory_equal(geometry->worker_tiles, workers, sizeof(workers));
	assert_memory_equal(geometry->dispatch_tiles, dispatch, sizeof(dispatch));
	/* the next row gets the numbers of the harvested row, which gets those of the last row */
	assert_int_equal(geometry->tiles[9].kind, TILE_TENSIX);
	assert_int_equal(geometry->tiles[9].y, 4);
	assert_int_equal(geometry->tiles[17].kind, TILE_OTHER);
	assert_int_equal(geometry->tiles[17].y, 2);
	assert_int_equal(platform_tensix_tiles(toy.platform), 16);
	close_toy(&toy);
}

TEST(dispatch_may_have_columns_in_place_of_rows)
{
	struct fixture toy =
		open_toy("dispatch_rows: 1", "dispatch_rows: 0\n  dispatch_columns: 1");
	const struct chip_geometry *geometry = toy.cluster->chips[0].geometry;
	static const uint16_t workers[] = {5, 9, 17}, dispatch[] = {6, 10, 18};

	assert_int_equal(geometry->worker_columns, 1);
	assert_int_equal(geometry->worker_rows, 3);
	assert_memory_equal(geometry->worker_tiles, workers, sizeof(workers));
	assert_int_equal(geometry->dispatch_tile_count, 3);
	assert_memory_equal(geometry->dispatch_tiles, dispatch, sizeof(dispatch));
	close_toy(&toy);
}

/* Tiles in different rows have the same number, so that one command stream fits both chips. */
TEST(chips_harvested_differently_number_their_tiles_alike)
{
	struct fixture toy = open_toy(
		"dispatch_rows: 1", "dispatch_rows: 1\n  harvested_by_chip: [[2], [1], [4]]");
	static const uint8_t rows[3][3] = {{1, 4, 2}, {2, 4, 1}, {1, 2, 4}};

	for (unsigned chip = 0; chip < 4; chip++) {
		const struct chip_geometry *geometry = toy.cluster->chips[chip].geometry;
		const struct chip_geometry *first = toy.cluster->chips[0].geometry;
		static const uint8_t numbers[] = {1, 2, 4};

		assert_int_equal(geometry->worker_rows, 1);
		assert_memory_equal(geometry->worker_tiles, first->worker_tiles, 4);
		assert_memory_equal(geometry->dispatch_tiles, first->dispatch_tiles, 4);
		for (unsigned i = 0; i < 3; i++) {
			const struct tile_info *tile = &geometry->tiles[numbers[i] * 4 + 1];

			assert_int_equal(tile->y, rows[chip % 3][i]);
			assert_int_equal(tile->x, 1);
			assert_int_equal(tile->kind, i < 2 ? TILE_TENSIX : TILE_OTHER);
		}
	}
	assert_ptr_equal(toy.cluster->chips[0].geometry, toy.cluster->chips[3].geometry);
	close_toy(&toy);
}

TEST(a_chip_is_reached_through_the_nearest_with_pcie)
{
	struct fixture toy = open_toy("mesh: [1, 4]\n  links: 1\n  pcie: [0, 2]",
		"mesh: [1, 6]\n  links: 1\n  pcie: [0, 3]");
	static const uint16_t gateways[] = {0, 0, 3, 3, 3, 3};

	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(toy.cluster->chips[i].gateway, gateways[i]);
		assert_int_equal(toy.cluster->chips[i].has_pcie, i == 0 || i == 3);
		assert_int_equal(toy.cluster->chips[i].mesh_row, 0);
		assert_int_equal(toy.cluster->chips[i].mesh_column, (int)i);
	}
	close_toy(&toy);
}

TEST(of_two_chips_as_near_the_first_serves)
{
	struct fixture toy = open_toy("pcie: [0, 2]", "pcie: [0, 2]");

	assert_int_equal(toy.cluster->chips[1].gateway, 0);
	assert_int_equal(toy.cluster->chips[3].gateway, 2);
	close_toy(&toy);
}

TEST(gateways_follow_the_mesh_one_per_row)
{
	struct fixture toy = open_toy("mesh: [1, 4]\n  links: 1\n  pcie: [0, 2]",
		"mesh: [2, 3]\n  links: 1\n  pcie: none\n"
		"  gateways: {links: 1, harvested_rows: [4], dispatch_rows: 1}");
	const struct fabric_connection *last;

	assert_int_equal(toy.cluster->chip_count, 8);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(toy.cluster->chips[i].gateway, 6 + i / 3);
		assert_false(toy.cluster->chips[i].has_pcie);
	}
	for (unsigned i = 6; i < 8; i++) {
		assert_int_equal(toy.cluster->chips[i].gateway, i);
		assert_int_equal(toy.cluster->chips[i].mesh_row, -1);
		assert_int_equal(toy.cluster->chips[i].geometry->worker_rows, 1);
	}
	/* 2 rows of 2, 3 columns of 1, 2 gateways. */
	assert_int_equal(toy.cluster->connection_count, 9);
	last = &toy.cluster->connections[8];
	assert_int_equal(last->chip[0], 7);
	assert_int_equal(last->chip[1], 3);
	close_toy(&toy);
}

TEST(wrapped_rows_close_to_rings)
{
	struct fixture toy = open_toy("links: 1", "links: 1\n  wrap: [true, false]");
	const struct fabric_connection *closing = &toy.cluster->connections[3];

	assert_int_equal(toy.cluster->connection_count, 4);
	assert_int_equal(closing->chip[0], 3);
	assert_int_equal(closing->chip[1], 0);
	assert_int_equal(closing->links, 1);
	close_toy(&toy);
}

TEST_MAIN(NULL, NULL)
