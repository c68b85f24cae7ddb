/* Tests how a broadcast is cut into multicasts (spec 3.8), which are called pieces. Each chip is in
 * one piece, no piece has too many members, and there are no more pieces than necessary. Also tests
 * the trees of pieces, on machines with and without missing links. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "fabric/grids.h"
#include "fabric/pattern.h"
#include "fabric_bench.h"
#include "mesh/choice.h"
#include "world/bounds.h"

enum { SIDE_MAX = 90, PIECES_MAX = SIDE_MAX * SIDE_MAX };

static uint16_t random_below(struct stream *stream, uint32_t bound)
{
	return (uint16_t)stream_below(stream, bound);
}

static struct device_range random_range(struct stream *stream)
{
	uint16_t row = random_below(stream, 20), column = random_below(stream, 20);

	return (struct device_range){row, column, (uint16_t)(row + random_below(stream, 70)),
		(uint16_t)(column + random_below(stream, 70))};
}

/* Checks that the pieces cover the range once, and returns the size of the largest. */
static uint32_t check_cover(
	struct device_range range, const struct device_range *pieces, uint32_t count)
{
	static uint8_t covered[SIDE_MAX][SIDE_MAX];
	uint32_t largest = 0;

	memset(covered, 0, sizeof(covered));
	for (uint32_t i = 0; i < count; i++) {
		assert_true(device_range_covers(range, pieces[i]));
		if (device_range_count(pieces[i]) > largest)
			largest = device_range_count(pieces[i]);
		for (uint32_t row = pieces[i].row0; row <= pieces[i].row1; row++)
			for (uint32_t c = pieces[i].column0; c <= pieces[i].column1; c++)
				covered[row][c]++;
	}
	for (uint32_t row = range.row0; row <= range.row1; row++)
		for (uint32_t column = range.column0; column <= range.column1; column++)
			if (covered[row][column] != 1)
				fail_msg("the device at %u, %u is in %u pieces", row, column,
					covered[row][column]);
	return largest;
}

TEST(each_device_of_random_ranges_is_in_one_piece_of_every_row)
{
	static struct device_range pieces[PIECES_MAX];
	struct stream stream;

	stream_init(&stream, 3, "test/pieces");
	for (uint32_t i = 0; i < 3000; i++) {
		const struct pieces_ops *row = pieces_row(i % 3);
		struct device_range range = random_range(&stream);
		uint32_t most = 1 + random_below(&stream, i % 2 ? 40 : BOUND_MEMBERS);
		uint32_t devices = device_range_count(range);
		uint32_t count = row->cut(range, most, pieces);
		uint32_t largest = check_cover(range, pieces, count);

		if (largest > most)
			fail_msg("%s: a piece of %u devices, at most %u", row->entry.name, largest,
				most);
		assert_true(count >= (devices + most - 1) / most);
		if (devices <= most)
			assert_int_equal(count, 1);
		for (uint32_t k = 1; k < count; k++)
			assert_true(pieces[k - 1].row0 < pieces[k].row0 ||
				    (pieces[k - 1].row0 == pieces[k].row0 &&
					    pieces[k - 1].column0 < pieces[k].column0));
	}
	assert_null(pieces_row(3));
}

TEST(one_part_fewer_would_be_too_large)
{
	static struct device_range parts[PIECES_MAX];
	struct stream stream;

	stream_init(&stream, 4, "test/fewest");
	for (uint32_t i = 0; i < 500; i++) {
		struct device_range range = random_range(&stream);
		struct mesh_shape shape = {(uint16_t)(range.row1 - range.row0 + 1),
			(uint16_t)(range.column1 - range.column0 + 1)};
		uint32_t most = 1 + random_below(&stream, BOUND_MEMBERS), largest = 0;
		uint32_t count = fabric_piece_count(range, most);

		if (count == 1)
			continue;
		fabric_split(shape, count - 1, parts);
		for (uint32_t k = 0; k + 1 < count; k++)
			if (device_range_count(parts[k]) > largest)
				largest = device_range_count(parts[k]);
		assert_true(largest > most);
	}
}

TEST(four_thousand_chips_are_four_bands_of_sixteen_rows)
{
	struct device_range all = device_range_all((struct mesh_shape){64, 64}), pieces[4];

	assert_int_equal(fabric_piece_count(all, BOUND_MEMBERS), 4);
	fabric_pieces(all, BOUND_MEMBERS, pieces);
	for (uint16_t i = 0; i < 4; i++) {
		assert_int_equal(pieces[i].row0, 16 * i);
		assert_int_equal(pieces[i].row1, 16 * i + 15);
		assert_int_equal(pieces[i].column1, 63);
	}
}

TEST(sixty_four_chips_are_bands_or_quadrants_or_rows)
{
	struct device_range all = device_range_all((struct mesh_shape){8, 8}), pieces[64];

	assert_int_equal(pieces_find("balanced")->cut(all, 16, pieces), 4);
	for (uint16_t i = 0; i < 4; i++)
		assert_int_equal(pieces[i].row1 - pieces[i].row0, 1);
	assert_int_equal(pieces_find("halves")->cut(all, 16, pieces), 4);
	for (uint16_t i = 0; i < 4; i++) {
		assert_int_equal(pieces[i].row0, i / 2 * 4);
		assert_int_equal(pieces[i].column0, i % 2 * 4);
		assert_int_equal(pieces[i].row1, i / 2 * 4 + 3);
		assert_int_equal(pieces[i].column1, i % 2 * 4 + 3);
	}
	assert_int_equal(pieces_find("rows")->cut(all, 16, pieces), 8);
	for (uint16_t i = 0; i < 8; i++) {
		assert_int_equal(pieces[i].row0, i);
		assert_int_equal(pieces[i].row1, i);
	}
	assert_int_equal(pieces_find("rows")->cut(all, 5, pieces), 16);
	assert_int_equal(pieces_find("rows")->cut(all, 64, pieces), 1);
}

/* Copies the connections of a machine, but leaves out some connections along columns. Keeps all
 * connections of the first column, so that every chip can be reached. */
static uint32_t most_connections(
	const struct cluster_info *info, struct stream *stream, struct fabric_connection *kept)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const struct chip_info *a = &info->chips[info->connections[i].chip[0]];
		const struct chip_info *b = &info->chips[info->connections[i].chip[1]];
		bool down = a->mesh_column > 0 && a->mesh_column == b->mesh_column;

		if (!down || stream_below(stream, 8) > 0)
			kept[count++] = info->connections[i];
	}
	return count;
}

/* The trees of the pieces, which are parts of the grid's tree, deliver to each chip once. */
static void check_trees(struct stream *stream, bool holes)
{
	enum { ROWS = 7, COLUMNS = 9, CHIPS = ROWS * COLUMNS };
	struct device_range pieces[CHIPS], all = {0, 0, ROWS - 1, COLUMNS - 1};
	uint32_t most = 1 + random_below(stream, CHIPS);
	const struct pieces_ops *cutter = pieces_row(stream_below(stream, 3));
	uint32_t count = cutter->cut(all, most, pieces);
	struct fabric_connection kept[4 * CHIPS];
	uint8_t delivered[2 * CHIPS] = {0};
	struct cluster_info machine;
	struct fabric_bench bench;
	struct broadcast_grid grid;

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT},
		(struct mesh_shape){ROWS, COLUMNS}, (struct mesh_offset){0, 0});
	if (holes) {
		machine = *bench.info;
		machine.connections = kept;
		machine.connection_count = most_connections(bench.info, stream, kept);
		fabric_graph_init(&bench.graph, &machine, &bench.arena);
	}
	assert_int_equal(
		fabric_grids(&bench.graph, &bench.mesh, 1, &bench.arena, NULL, &grid), STATUS_OK);
	for (uint32_t i = 0; i < count; i++) {
		bool member[2 * CHIPS] = {false};
		struct fabric_tree *tree;

		for (uint16_t row = pieces[i].row0; row <= pieces[i].row1; row++)
			for (uint16_t column = pieces[i].column0; column <= pieces[i].column1;
				column++)
				member[virtual_mesh_chip(&bench.mesh, row, column)] = true;
		tree = fabric_subtree(grid.tree, member, &bench.arena);
		fabric_check_tree(&bench.graph, tree, delivered);
		assert_true(tree->deliver_count <= most);
	}
	delivered[grid.initiator]++; /* it gets the packet without the fabric */
	for (uint32_t chip = 0; chip < CHIPS; chip++)
		if (delivered[chip] != 1)
			fail_msg("chip %u receives %u packets", chip, delivered[chip]);
	fabric_bench_close(&bench);
}

TEST(each_chip_receives_one_packet_also_where_links_are_missing)
{
	struct stream stream;

	stream_init(&stream, 5, "test/piece-trees");
	for (uint32_t i = 0; i < 200; i++)
		check_trees(&stream, i % 2);
}

TEST_MAIN(NULL, NULL)
