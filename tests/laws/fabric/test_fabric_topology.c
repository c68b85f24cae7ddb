/* Tests fabric topologies: for any two chips, the length of the route between them and the links of
 * the route must be those that formulas give. A one-dimensional fabric and a torus must reject
 * machines that do not fit. */
#include "test.h"

#include <stdlib.h>

#include "fabric/tree.h"
#include "fabric_bench.h"
#include "mesh_case.h"

enum { ROWS = 4, COLUMNS = 7, CHIPS = ROWS * COLUMNS };

static void open_topology(struct fabric_bench *bench, enum fabric_topology topology)
{
	fabric_bench_open(bench,
		(struct test_cluster){.rows = ROWS, .columns = COLUMNS, .wrap = true},
		(struct mesh_shape){ROWS, COLUMNS}, (struct mesh_offset){0, 0});
	fabric_graph_init_topology(&bench->graph, bench->info, topology, &bench->arena);
}

/* Returns the hops along one dimension. */
static uint32_t hops_along(uint32_t a, uint32_t b, uint32_t length, bool wraps)
{
	uint32_t straight = a > b ? a - b : b - a;

	return wraps && length - straight < straight ? length - straight : straight;
}

/* Adds every route between two chips; returns the longest. */
static uint32_t route_all(
	struct fabric_bench *bench, bool wraps, struct fabric_waits *waits, uint32_t *wrapped)
{
	uint32_t longest = 0;

	*wrapped = 0;
	for (uint16_t a = 0; a < CHIPS; a++)
		for (uint16_t b = 0; b < CHIPS; b++) {
			uint32_t hops = hops_along(a / COLUMNS, b / COLUMNS, ROWS, wraps) +
					hops_along(a % COLUMNS, b % COLUMNS, COLUMNS, wraps);
			struct fabric_tree *tree;

			if (a == b)
				continue;
			assert_int_equal(fabric_unicast(&bench->graph, a, b, &bench->arena, &tree),
				STATUS_OK);
			fabric_check_tree(&bench->graph, tree, NULL);
			assert_int_equal(tree->node_count - 1, hops);
			longest = hops > longest ? hops : longest;
			for (uint32_t i = 1; i < tree->node_count; i++) {
				int from = tree->nodes[i - 1].chip, to = tree->nodes[i].chip;
				int step = abs(from - to);

				*wrapped += step != 1 && step != COLUMNS;
			}
			fabric_waits_add(waits, tree);
		}
	return longest;
}

TEST(a_mesh_never_goes_round_and_a_torus_takes_the_shorter_way)
{
	struct fabric_bench bench;
	struct fabric_waits waits;
	uint32_t wrapped;

	open_topology(&bench, FABRIC_MESH);
	fabric_waits_init(&waits, &bench.graph, &bench.arena);
	assert_int_equal(route_all(&bench, false, &waits, &wrapped), ROWS - 1 + COLUMNS - 1);
	assert_int_equal(wrapped, 0);
	assert_int_equal(fabric_waits_check(&waits, NULL), STATUS_OK);
	fabric_bench_close(&bench);

	open_topology(&bench, FABRIC_TORUS);
	fabric_waits_init(&waits, &bench.graph, &bench.arena);
	assert_int_equal(route_all(&bench, true, &waits, &wrapped), ROWS / 2 + COLUMNS / 2);
	assert_true(wrapped > 0);
	/* rings progress through the slot that routers keep free; there is no other cycle */
	assert_int_equal(fabric_waits_check(&waits, NULL), STATUS_OK);
	fabric_bench_close(&bench);
}

static enum status keeps(enum fabric_topology topology, uint16_t from, uint16_t to)
{
	struct fabric_bench bench;
	struct fabric_tree *tree;
	enum status status;

	open_topology(&bench, topology);
	assert_int_equal(fabric_unicast(&bench.graph, from, to, &bench.arena, &tree), STATUS_OK);
	status = fabric_topology_routes(&bench.graph, tree, NULL);
	fabric_bench_close(&bench);
	return status;
}

TEST(one_dimension_goes_along_a_row_or_a_column)
{
	for (enum fabric_topology topology = 0; topology < FABRIC_TOPOLOGY_COUNT; topology++) {
		bool planar = topology == FABRIC_MESH || topology == FABRIC_TORUS;

		assert_int_equal(keeps(topology, 0, COLUMNS - 1), STATUS_OK);
		assert_int_equal(keeps(topology, 1, 2 * COLUMNS + 1), STATUS_OK);
		assert_int_equal(keeps(topology, 0, 2 * COLUMNS + 2),
			planar ? STATUS_OK : STATUS_UNSUPPORTED);
	}
}

/* Checks the error for a 4 x 4 mesh device, or "" if it can be opened. */
static void plan(enum fabric_topology topology, bool wrap, const char *forward, const char *route,
	const char *expected)
{
	struct mesh_case test;
	struct cluster_info *info;
	struct text why = {0};

	mesh_case_init(&test, 4, 4, TEST_PCIE_LEFT);
	mesh_case_choose(&test, forward, 1, "table", "main");
	test.cluster_config.wrap = wrap;
	test.config.topology = topology;
	test.config.forward.route = route_find(route);
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, NULL, &why),
		*expected ? STATUS_UNSUPPORTED : STATUS_OK);
	assert_string_equal(text_string(&why), expected);
	text_fini(&why);
	test_cluster_info_free(info);
}

TEST(meshes_keep_to_their_topology_or_are_refused)
{
	plan(FABRIC_MESH, false, "broadcast", "line-column", "");
	plan(FABRIC_MESH, true, "broadcast", "tree", "");
	plan(FABRIC_TORUS, true, "broadcast", "tree", "");
	plan(FABRIC_TORUS, false, "unicast", "line-column",
		"fabric topology 'torus' takes links that wrap around, and platform test has none");
	plan(FABRIC_LINE, false, "unicast", "line-column", "");
	plan(FABRIC_LINE, false, "broadcast", "line-column",
		"fabric topology 'line' has one dimension, and a way from chip 1 turns at chip 0; "
		"'mesh' has two");
	plan(FABRIC_LINE, false, "broadcast", "ring",
		"fabric topology 'line' has one dimension, and a way from chip 1 turns at chip 0; "
		"'mesh' has two");
	plan(FABRIC_RING, true, "unicast", "line-column", "");
}

TEST_MAIN(NULL, NULL)
