/* Tests virtual meshes, routes, multicast trees and broadcast grids, on fixed and on random meshes:
 * the chips that they reach, their depth, and errors. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "fabric/grids.h"
#include "fabric_bench.h"

TEST(meshes_outside_the_platform_are_refused)
{
	const struct test_cluster config = {.rows = 4, .columns = 8};
	struct cluster_info *info = test_cluster_info_new(&config);
	struct virtual_mesh mesh;
	struct arena arena = {0};
	struct text why = {0};

	assert_int_equal(virtual_mesh_init(&mesh, info, (struct mesh_shape){8, 4},
				 (struct mesh_offset){0, 0}, &arena, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why),
		"a mesh of 8 x 4 devices is larger than the 4 x 8 of platform test");
	text_clear(&why);
	assert_int_equal(virtual_mesh_init(&mesh, info, (struct mesh_shape){4, 4},
				 (struct mesh_offset){0, 5}, &arena, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why),
		"a mesh of 4 x 4 devices at offset 0,5 leaves the 4 x 8 of platform test");
	assert_int_equal(virtual_mesh_init(&mesh, info, (struct mesh_shape){0, 4},
				 (struct mesh_offset){0, 0}, &arena, NULL),
		STATUS_INVALID);
	text_fini(&why);
	arena_fini(&arena);
	test_cluster_info_free(info);
}

TEST(a_mesh_names_its_chips_by_its_own_rows_and_columns)
{
	struct fabric_bench bench;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 4, .columns = 8},
		(struct mesh_shape){2, 3}, (struct mesh_offset){1, 4});
	assert_int_equal(virtual_mesh_chip(&bench.mesh, 0, 0), 1 * 8 + 4);
	assert_int_equal(virtual_mesh_chip(&bench.mesh, 1, 2), 2 * 8 + 6);
	fabric_bench_close(&bench);
}

TEST(unicast_goes_along_the_row_first_by_the_shortest_way)
{
	struct fabric_bench bench;
	struct fabric_tree *tree;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 5, .columns = 6},
		(struct mesh_shape){5, 6}, (struct mesh_offset){0, 0});
	for (uint16_t a = 0; a < 30; a++)
		for (uint16_t b = 0; b < 30; b++) {
			int across = abs(a % 6 - b % 6), down = abs(a / 6 - b / 6);

			if (a == b)
				continue;
			assert_int_equal(
				fabric_unicast(&bench.graph, a, b, &bench.arena, &tree), STATUS_OK);
			fabric_check_tree(&bench.graph, tree, NULL);
			assert_int_equal(tree->node_count - 1, across + down);
			assert_int_equal(tree->nodes[tree->node_count - 1].chip, b);
			assert_int_equal(tree->nodes[across].chip, a / 6 * 6 + b % 6);
		}
	fabric_bench_close(&bench);
}

TEST(wrap_links_shorten_the_way)
{
	struct fabric_bench bench;
	struct fabric_tree *tree;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 4, .columns = 8, .wrap = true},
		(struct mesh_shape){4, 8}, (struct mesh_offset){0, 0});
	assert_int_equal(fabric_unicast(&bench.graph, 0, 31, &bench.arena, &tree), STATUS_OK);
	assert_int_equal(tree->node_count - 1, 2);
	assert_int_equal(tree->nodes[1].chip, 7);
	fabric_bench_close(&bench);
}

TEST(unreachable_chips_are_reported)
{
	struct fabric_bench bench;
	struct fabric_tree *tree;
	struct broadcast_grid grid;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 1, .columns = 4},
		(struct mesh_shape){1, 4}, (struct mesh_offset){0, 0});
	bench.info->connection_count = 1; /* keeps 0-1 */
	fabric_graph_init(&bench.graph, bench.info, &bench.arena);
	assert_int_equal(fabric_unicast(&bench.graph, 0, 3, &bench.arena, &tree), STATUS_NOT_FOUND);
	assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, 1, &bench.arena, NULL, &grid),
		STATUS_NOT_FOUND);
	fabric_bench_close(&bench);
}

/* In a ring of four, the chips on both sides of the initiator have equal distance. */
TEST(a_tree_enters_at_the_first_of_the_nearest_chips)
{
	struct fabric_tree *tree;
	struct fabric_bench bench;

	fabric_bench_open(&bench, (struct test_cluster){.rows = 1, .columns = 4, .wrap = true},
		(struct mesh_shape){1, 4}, (struct mesh_offset){0, 0});
	assert_int_equal(fabric_line_columns(&bench.graph, &bench.mesh,
				 (struct device_range){0, 1, 0, 3}, 0, &bench.arena, NULL, &tree),
		STATUS_OK);
	assert_int_equal(tree->nodes[1].chip, 1);
	assert_int_equal(tree->node_count, 4);
	fabric_bench_close(&bench);
}

TEST(one_gateway_covers_a_mesh_line_first_then_columns)
{
	struct fabric_bench bench;
	struct broadcast_grid grid;

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = 8, .columns = 8, .pcie = TEST_PCIE_GATEWAYS},
		(struct mesh_shape){8, 8}, (struct mesh_offset){0, 0});
	assert_int_equal(
		fabric_grids(&bench.graph, &bench.mesh, 1, &bench.arena, NULL, &grid), STATUS_OK);
	fabric_check_tree(&bench.graph, grid.tree, NULL);
	/* rows 3 and 4 are in the middle: 1 hop to the mesh, 7 along the row, 4 down */
	assert_int_equal(grid.initiator, 64 + 3);
	assert_int_equal(fabric_tree_depth(grid.tree), 1 + 7 + 4);
	assert_int_equal(grid.tree->deliver_count, 64);
	for (uint32_t i = 2; i < grid.tree->node_count; i++) {
		uint16_t chip = grid.tree->nodes[i].chip;
		uint16_t from = grid.tree->nodes[grid.tree->nodes[i].parent].chip;

		if (chip % 8 != from % 8) /* steps across columns happen only in the row of entry */
			assert_int_equal(chip / 8, 3);
	}
	fabric_bench_close(&bench);
}

/* The depth of a tree from inside its grid is the longer way in each direction. */
TEST(chips_with_pcie_initiate_from_the_middle)
{
	struct fabric_bench bench;

	for (uint16_t rows = 1; rows <= 6; rows++)
		for (uint16_t columns = 1; columns <= 6; columns++) {
			struct broadcast_grid grid;

			fabric_bench_open(&bench,
				(struct test_cluster){.rows = rows, .columns = columns},
				(struct mesh_shape){rows, columns}, (struct mesh_offset){0, 0});
			assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, 1, &bench.arena,
						 NULL, &grid),
				STATUS_OK);
			assert_int_equal(fabric_tree_depth(grid.tree), rows / 2 + columns / 2);
			assert_int_equal(grid.tree->deliver_count, rows * columns - 1);
			fabric_bench_close(&bench);
		}
}

TEST(more_initiators_make_shallower_trees)
{
	static const struct {
		uint32_t initiators, depth;
	} laws[] = {{1, 12}, {2, 10}, {4, 9}, {8, 8}};
	struct fabric_bench bench;

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = 8, .columns = 8, .pcie = TEST_PCIE_GATEWAYS},
		(struct mesh_shape){8, 8}, (struct mesh_offset){0, 0});
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		struct broadcast_grid grids[8];
		uint32_t deepest = 0;

		assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, laws[i].initiators,
					 &bench.arena, NULL, grids),
			STATUS_OK);
		for (uint32_t g = 0; g < laws[i].initiators; g++)
			if (fabric_tree_depth(grids[g].tree) > deepest)
				deepest = fabric_tree_depth(grids[g].tree);
		assert_int_equal(deepest, laws[i].depth);
	}
	fabric_bench_close(&bench);
}

/* Checks that every device is in exactly one grid. A grid is a row, a column, or the devices of one
 * initiator. */
static void check_split(struct fabric_bench *bench, enum grid_split split)
{
	struct mesh_shape shape = bench->mesh.shape;
	struct broadcast_grid grids[64];
	uint32_t count = fabric_grid_count(&bench->graph, &bench->mesh, split, 1), devices = 0;

	assert_in_range(count, 1, 64);
	assert_int_equal(fabric_grids_split(&bench->graph, &bench->mesh,
				 (struct grid_plan){.split = split,
					 .count = 1,
					 .tree = fabric_line_columns},
				 &bench->arena, NULL, grids),
		STATUS_OK);
	for (uint32_t g = 0; g < count; g++) {
		struct device_range range = grids[g].range;

		devices += device_range_count(range);
		fabric_check_tree(&bench->graph, grids[g].tree, NULL);
		if (split == GRIDS_ROWS)
			assert_int_equal(device_range_count(range), shape.columns);
		if (split == GRIDS_COLUMNS)
			assert_int_equal(range.column0, range.column1);
		for (uint32_t other = 0; other < g; other++) {
			assert_false(device_range_overlap(range, grids[other].range));
			assert_int_not_equal(grids[g].initiator, grids[other].initiator);
		}
		for (uint16_t row = range.row0; split == GRIDS_GATEWAYS && row <= range.row1;
			row++) {
			uint16_t chip = virtual_mesh_chip(&bench->mesh, row, range.column0);

			assert_int_equal(grids[g].initiator, bench->info->chips[chip].gateway);
		}
	}
	assert_int_equal(devices, mesh_shape_count(shape));
}

TEST(a_mesh_is_cut_by_rows_columns_and_gateways)
{
	for (int pcie = 0; pcie < 3; pcie++)
		for (uint16_t columns = 1; columns <= 4; columns++) {
			struct fabric_bench bench;

			fabric_bench_open(&bench,
				(struct test_cluster){.rows = 4,
					.columns = columns,
					.pcie = (enum test_pcie)pcie},
				(struct mesh_shape){4, columns}, (struct mesh_offset){0, 0});
			for (int split = GRIDS_ROWS; split <= GRIDS_GATEWAYS; split++)
				check_split(&bench, (enum grid_split)split);
			fabric_bench_close(&bench);
		}
}

TEST(initiators_without_pcie_are_refused)
{
	struct fabric_bench bench;
	struct broadcast_grid grids[64];
	struct text why = {0};

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = 2, .columns = 4, .pcie = TEST_PCIE_LEFT},
		(struct mesh_shape){2, 4}, (struct mesh_offset){0, 0});
	assert_int_equal(
		fabric_grids(&bench.graph, &bench.mesh, 2, &bench.arena, NULL, grids), STATUS_OK);
	assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, 4, &bench.arena, &why, grids),
		STATUS_NO_SPACE);
	assert_string_equal(text_string(&why),
		"4 initiators, but only 2 chips with PCIe reach the mesh of platform test");
	assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, 0, &bench.arena, NULL, grids),
		STATUS_INVALID);
	assert_int_equal(fabric_grids(&bench.graph, &bench.mesh, 9, &bench.arena, NULL, grids),
		STATUS_OUT_OF_RANGE);
	text_fini(&why);
	fabric_bench_close(&bench);
}

TEST(splits_are_even_and_cover_every_device_once)
{
	for (uint16_t rows = 1; rows <= 9; rows++)
		for (uint16_t columns = 1; columns <= 9; columns++)
			for (uint32_t count = 1; count <= (uint32_t)rows * columns; count++) {
				struct mesh_shape shape = {rows, columns};
				struct device_range ranges[81];
				uint8_t covered[81] = {0};
				uint32_t smallest = UINT32_MAX, biggest = 0;

				fabric_split(shape, count, ranges);
				for (uint32_t i = 0; i < count; i++) {
					uint32_t size = device_range_count(ranges[i]);

					assert_true(device_range_valid(ranges[i], shape));
					smallest = size < smallest ? size : smallest;
					biggest = size > biggest ? size : biggest;
					for (uint32_t r = ranges[i].row0; r <= ranges[i].row1; r++)
						for (uint32_t c = ranges[i].column0;
							c <= ranges[i].column1; c++)
							covered[r * columns + c]++;
				}
				for (uint32_t i = 0; i < (uint32_t)rows * columns; i++)
					assert_int_equal(covered[i], 1);
				if (rows % count == 0 ||
					(count % rows == 0 && columns % (count / rows) == 0))
					assert_int_equal(smallest, biggest);
			}
}

TEST(random_grids_are_covered_exactly_once)
{
	struct stream stream;

	stream_init(&stream, 7, "test/grids");
	for (int i = 0; i < 300; i++) {
		struct test_cluster config = {.rows = 1 + (uint16_t)stream_below(&stream, 10),
			.columns = 1 + (uint16_t)stream_below(&stream, 10),
			.pcie = (enum test_pcie)stream_below(&stream, 3),
			.wrap = stream_below(&stream, 2)};
		struct mesh_shape shape = {1 + (uint16_t)stream_below(&stream, config.rows),
			1 + (uint16_t)stream_below(&stream, config.columns)};
		struct mesh_offset offset = {
			(uint16_t)stream_below(&stream, config.rows - shape.rows + 1u),
			(uint16_t)stream_below(&stream, config.columns - shape.columns + 1u)};
		uint32_t count = 1 + (uint32_t)stream_below(&stream, mesh_shape_count(shape));
		uint32_t pcie = config.pcie == TEST_PCIE_ALL
					? (uint32_t)config.rows * config.columns
					: config.rows;
		struct broadcast_grid grids[100];
		uint8_t *delivered, *initiates;
		struct fabric_bench bench;
		enum status status;

		fabric_bench_open(&bench, config, shape, offset);
		delivered = calloc(bench.info->chip_count, 1);
		initiates = calloc(bench.info->chip_count, 1);
		status = fabric_grids(&bench.graph, &bench.mesh, count, &bench.arena, NULL, grids);
		assert_int_equal(status, count <= pcie ? STATUS_OK : STATUS_NO_SPACE);
		for (uint32_t g = 0; status == STATUS_OK && g < count; g++) {
			fabric_check_tree(&bench.graph, grids[g].tree, delivered);
			assert_int_equal(grids[g].tree->nodes[0].chip, grids[g].initiator);
			assert_true(bench.info->chips[grids[g].initiator].has_pcie);
			assert_int_equal(initiates[grids[g].initiator]++, 0);
			for (uint32_t d = 0; d < mesh_shape_count(shape); d++)
				if (bench.mesh.chips[d] == grids[g].initiator &&
					device_range_has(grids[g].range,
						(uint16_t)(d / shape.columns),
						(uint16_t)(d % shape.columns)))
					/* the initiator gets the packet without the fabric */
					delivered[bench.mesh.chips[d]]++;
		}
		for (uint32_t d = 0; status == STATUS_OK && d < mesh_shape_count(shape); d++)
			assert_int_equal(delivered[bench.mesh.chips[d]], 1);
		free(delivered);
		free(initiates);
		fabric_bench_close(&bench);
	}
}

TEST_MAIN(NULL, NULL)
