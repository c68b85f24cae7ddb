/* Tests the routes of broadcasts (spec 3.8.8.2) on meshes and tori, from every chip. Each route
 * must reach every chip of a grid once, over existing links, with one link for each chip except the
 * initiator. The depth of each tree must be the one that a formula gives. Also tests which grids
 * have a ring. */
#include "test.h"

#include <string.h>

#include "fabric_bench.h"
#include "mesh/choice.h"

enum { SIDE_MOST = 7, CHIPS_MOST = SIDE_MOST * SIDE_MOST };

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The root of a tree, and its grid. */
struct place {
	uint32_t rows, columns, row, column;
	bool wrap;
};

static uint32_t outwards(const struct place *at)
{
	return larger(at->row, at->rows - 1 - at->row) +
	       larger(at->column, at->columns - 1 - at->column);
}

static uint32_t line_column_depth(const struct place *at)
{
	return outwards(at);
}

static uint32_t ring_depth(const struct place *at)
{
	return at->rows * at->columns / 2;
}

static uint32_t tree_depth(const struct place *at)
{
	return at->wrap ? at->rows / 2 + at->columns / 2 : outwards(at);
}

static bool has_ring(const struct place *at)
{
	bool even = at->rows % 2 == 0 || at->columns % 2 == 0;

	return at->wrap || at->rows * at->columns <= 2 || (even && at->rows > 1 && at->columns > 1);
}

static const struct law {
	const char *name;
	uint32_t (*depth)(const struct place *at);
} laws[] = {{"line-column", line_column_depth}, {"ring", ring_depth}, {"tree", tree_depth}};

static void check_from(struct fabric_bench *bench, const struct law *law, const struct place *at)
{
	const struct route_ops *route = route_find(law->name);
	uint16_t chip = virtual_mesh_chip(&bench->mesh, (uint16_t)at->row, (uint16_t)at->column);
	struct device_range all = device_range_all(bench->mesh.shape);
	uint32_t count = at->rows * at->columns;
	uint8_t delivered[CHIPS_MOST] = {0};
	struct fabric_tree *tree;
	enum status status =
		route->tree(&bench->graph, &bench->mesh, all, chip, &bench->arena, NULL, &tree);

	if (route == route_find("ring") && !has_ring(at)) {
		assert_int_equal(status, STATUS_UNSUPPORTED);
		return;
	}
	assert_int_equal(status, STATUS_OK);
	fabric_check_tree(&bench->graph, tree, delivered);
	assert_int_equal(tree->node_count, count); /* one link per node except the root */
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(delivered[i], i != chip);
	if (fabric_tree_depth(tree) != law->depth(at))
		fail_msg("%s on %u x %u%s from %u,%u is %u deep, not %u", law->name, at->rows,
			at->columns, at->wrap ? " with wrap-around links" : "", at->row, at->column,
			fabric_tree_depth(tree), law->depth(at));
}

static void check_machine(uint16_t rows, uint16_t columns, bool wrap)
{
	struct fabric_bench bench;

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = rows, .columns = columns, .wrap = wrap},
		(struct mesh_shape){rows, columns}, (struct mesh_offset){0, 0});
	for (uint32_t i = 0; i < (uint32_t)rows * columns; i++)
		for (size_t l = 0; l < sizeof(laws) / sizeof(*laws); l++) {
			struct place at = {rows, columns, i / columns, i % columns, wrap};

			check_from(&bench, &laws[l], &at);
		}
	fabric_bench_close(&bench);
}

TEST(depth_and_links_follow_closed_forms)
{
	for (uint16_t rows = 1; rows <= SIDE_MOST; rows++)
		for (uint16_t columns = 1; columns <= SIDE_MOST; columns++) {
			check_machine(rows, columns, false);
			check_machine(rows, columns, true);
		}
}

TEST(every_row_has_a_law)
{
	for (size_t i = 0; route_name(i) != NULL; i++)
		assert_string_equal(route_name(i), laws[i].name);
	assert_null(route_name(sizeof(laws) / sizeof(*laws)));
}

/* The tree from a chip outside the grid first leads to the nearest chip of the grid. From there on,
 * it is equal to the tree that starts at this chip. */
TEST(a_gateway_adds_the_way_to_the_grid)
{
	const struct device_range part = {1, 2, 2, 4};
	struct fabric_bench bench;
	struct fabric_tree *tree;

	fabric_bench_open(&bench,
		(struct test_cluster){.rows = 4, .columns = 6, .pcie = TEST_PCIE_GATEWAYS},
		(struct mesh_shape){4, 6}, (struct mesh_offset){0, 0});
	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++) {
		struct place at = {2, 3, 0, 0, false};
		uint8_t delivered[CHIPS_MOST] = {0};

		assert_int_equal(route_row(i)->tree(&bench.graph, &bench.mesh, part, 24 + 1,
					 &bench.arena, NULL, &tree),
			STATUS_OK);
		fabric_check_tree(&bench.graph, tree, delivered);
		assert_int_equal(tree->deliver_count, 6);
		assert_int_equal(tree->node_count - 1, 2 + 6);
		assert_int_equal(fabric_tree_depth(tree), 3 + laws[i].depth(&at));
	}
	fabric_bench_close(&bench);
}

TEST(a_grid_without_a_ring_is_refused_by_name)
{
	struct fabric_bench bench;
	struct fabric_tree *tree;
	struct text why = {0};

	fabric_bench_open(&bench, (struct test_cluster){.rows = 3, .columns = 5},
		(struct mesh_shape){3, 5}, (struct mesh_offset){0, 0});
	assert_int_equal(fabric_ring(&bench.graph, &bench.mesh, device_range_all(bench.mesh.shape),
				 0, &bench.arena, &why, &tree),
		STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&why),
		"no ring of links leads through the 3 x 5 devices from 0,0 on: that takes an even "
		"number of rows or columns, both above 1, or wrap-around links");
	text_fini(&why);
	fabric_bench_close(&bench);
}

TEST_MAIN(NULL, NULL)
