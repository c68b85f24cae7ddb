/* Tests traffic patterns: the number of flows on the busiest link, the trees, the parallel links
 * that flows use (lanes), and errors. The numbers of flows must be those of published measurements.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/pattern.h"
#include "test_cluster.h"

struct ground {
	struct cluster_info *info;
	struct arena arena;
	struct fabric_graph graph;
	struct virtual_mesh mesh;
	struct text why;
};

static void open_ground(struct ground *ground, uint16_t rows, uint16_t columns, bool wrap)
{
	struct test_cluster config = {.rows = rows, .columns = columns, .wrap = wrap};

	memset(ground, 0, sizeof *ground);
	ground->info = test_cluster_info_new(&config);
	fabric_graph_init(&ground->graph, ground->info, &ground->arena);
	assert_int_equal(
		virtual_mesh_init(&ground->mesh, ground->info, (struct mesh_shape){rows, columns},
			(struct mesh_offset){0, 0}, &ground->arena, NULL),
		STATUS_OK);
}

static void close_ground(struct ground *ground)
{
	text_fini(&ground->why);
	arena_fini(&ground->arena);
	test_cluster_info_free(ground->info);
}

/* Checks that every hop of a tree is a link, that the children of a node are consecutive, that no
 * chip appears twice, and that the count of receivers is right. */
static void check_tree(const struct ground *ground, const struct fabric_tree *tree)
{
	uint8_t *seen = calloc(ground->info->chip_count, 1);
	uint32_t deliver = 0;

	assert_false(tree->nodes[0].deliver);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct fabric_node *node = &tree->nodes[i];

		assert_int_equal(seen[node->chip]++, 0);
		deliver += node->deliver;
		for (uint32_t k = 0; k < node->child_count; k++)
			assert_int_equal(tree->nodes[node->first_child + k].parent, i);
		if (i > 0)
			assert_true(fabric_graph_joined(
				&ground->graph, tree->nodes[node->parent].chip, node->chip));
	}
	assert_int_equal(deliver, tree->deliver_count);
	free(seen);
}

static uint32_t busiest(uint16_t rows, uint16_t columns, bool wrap, enum fabric_pattern pattern)
{
	struct ground ground;
	struct fabric_flows flows;
	uint32_t result;

	open_ground(&ground, rows, columns, wrap);
	assert_int_equal(fabric_pattern_flows(&ground.graph, &ground.mesh, pattern, &ground.arena,
				 &ground.why, &flows),
		STATUS_OK);
	for (uint32_t i = 0; i < flows.count; i++) {
		assert_int_equal(flows.flows[i].source, flows.flows[i].tree->nodes[0].chip);
		assert_true(i == 0 || flows.flows[i].source != flows.flows[0].source ||
			    flows.flows[i - 1].source == flows.flows[0].source);
		check_tree(&ground, flows.flows[i].tree);
	}
	result = flows.busiest;
	close_ground(&ground);
	return result;
}

TEST(lines_of_four_carry_what_was_published)
{
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_LINEAR_MULTICAST), 3);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_UNIDIR_LINEAR_MULTICAST), 2);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_SINGLE_LINEAR_UNICAST), 3);
	assert_int_equal(busiest(4, 2, false, FABRIC_PATTERN_LINEAR_MULTICAST), 3);
}

TEST(rings_of_eight_carry_what_was_published)
{
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_FULL_RING_MULTICAST), 7);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_FULL_RING_UNICAST), 7);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_HALF_RING_MULTICAST), 4);
	/* The ring is the edge of the mesh, with 20 of its 32 chips. So it needs no wrap-around
	 * links, except in a mesh of one row. */
	assert_int_equal(busiest(4, 8, true, FABRIC_PATTERN_FULL_RING_MULTICAST), 19);
	assert_int_equal(busiest(3, 4, false, FABRIC_PATTERN_FULL_RING_MULTICAST), 9);
	assert_int_equal(busiest(1, 8, true, FABRIC_PATTERN_FULL_RING_MULTICAST), 7);
}

TEST(meshes_carry_what_was_published)
{
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_MESH_MULTICAST), 6);
	assert_int_equal(busiest(4, 8, false, FABRIC_PATTERN_MESH_MULTICAST), 28);
	/* Halfway around: at most four hops, from every chip of the column's four rows. */
	assert_int_equal(busiest(4, 8, true, FABRIC_PATTERN_TORUS_MULTICAST), 16);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_SINGLE_MESH_UNICAST), 4);
}

TEST(a_multicast_reaches_every_other_device)
{
	struct ground ground;
	struct fabric_flows flows;

	open_ground(&ground, 3, 5, true);
	for (int torus = 0; torus < 2; torus++) {
		assert_int_equal(fabric_pattern_flows(&ground.graph, &ground.mesh,
					 torus ? FABRIC_PATTERN_TORUS_MULTICAST
					       : FABRIC_PATTERN_MESH_MULTICAST,
					 &ground.arena, NULL, &flows),
			STATUS_OK);
		assert_int_equal(flows.count, 15);
		for (uint32_t i = 0; i < flows.count; i++)
			assert_int_equal(flows.flows[i].tree->deliver_count, 14);
	}
	close_ground(&ground);
}

static enum fabric_cycle cycle(
	uint16_t rows, uint16_t columns, bool wrap, enum fabric_pattern pattern)
{
	enum fabric_cycle first;
	struct fabric_flows flows;
	struct ground ground;

	open_ground(&ground, rows, columns, wrap);
	assert_int_equal(fabric_pattern_flows(
				 &ground.graph, &ground.mesh, pattern, &ground.arena, NULL, &flows),
		STATUS_OK);
	first = flows.flows[0].tree->cycle;
	for (uint32_t i = 0; i < flows.count; i++)
		assert_int_equal(flows.flows[i].tree->cycle, first);
	close_ground(&ground);
	return first;
}

TEST(a_torus_is_as_round_as_its_links)
{
	assert_int_equal(cycle(4, 8, true, FABRIC_PATTERN_TORUS_MULTICAST), FABRIC_CYCLE_LINES);
	assert_int_equal(cycle(2, 4, false, FABRIC_PATTERN_TORUS_MULTICAST), FABRIC_CYCLE_NONE);
	assert_int_equal(busiest(2, 4, false, FABRIC_PATTERN_TORUS_MULTICAST),
		busiest(2, 4, false, FABRIC_PATTERN_MESH_MULTICAST));
	assert_int_equal(cycle(2, 4, false, FABRIC_PATTERN_FULL_RING_UNICAST), FABRIC_CYCLE_WAY);
	assert_int_equal(cycle(2, 4, false, FABRIC_PATTERN_LINEAR_MULTICAST), FABRIC_CYCLE_NONE);
}

TEST(what_the_devices_cannot_form_is_refused)
{
	struct ground ground;
	struct fabric_flows flows;

	open_ground(&ground, 1, 4, false);
	assert_int_equal(
		fabric_pattern_flows(&ground.graph, &ground.mesh,
			FABRIC_PATTERN_FULL_RING_MULTICAST, &ground.arena, &ground.why, &flows),
		STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&ground.why), "1 x 4 devices form no ring");
	close_ground(&ground);
	open_ground(&ground, 1, 1, false);
	assert_int_equal(
		fabric_pattern_flows(&ground.graph, &ground.mesh, FABRIC_PATTERN_LINEAR_MULTICAST,
			&ground.arena, &ground.why, &flows),
		STATUS_INVALID);
	close_ground(&ground);
}

TEST(there_and_back_are_the_same_way)
{
	struct ground ground;
	struct fabric_tree *there, *back;

	open_ground(&ground, 2, 4, false);
	for (uint32_t hops = 1; hops <= 7; hops++) {
		assert_int_equal(fabric_there_and_back(&ground.graph, &ground.mesh, hops,
					 &ground.arena, &there, &back),
			STATUS_OK);
		check_tree(&ground, there);
		check_tree(&ground, back);
		assert_int_equal(there->node_count, hops + 1);
		for (uint32_t i = 0; i <= hops; i++)
			assert_int_equal(there->nodes[i].chip, back->nodes[hops - i].chip);
	}
	assert_int_equal(
		fabric_there_and_back(&ground.graph, &ground.mesh, 8, &ground.arena, &there, &back),
		STATUS_OUT_OF_RANGE);
	close_ground(&ground);
}

TEST(a_lane_is_a_copy_with_its_own_route)
{
	struct ground ground;
	struct fabric_tree *there, *back, *lane;

	open_ground(&ground, 1, 2, false);
	assert_int_equal(
		fabric_there_and_back(&ground.graph, &ground.mesh, 1, &ground.arena, &there, &back),
		STATUS_OK);
	there->route = &ground;
	lane = fabric_tree_on_lane(there, 2, &ground.arena);
	assert_int_equal(there->lane, 0);
	assert_int_equal(lane->lane, 2);
	assert_null(lane->route);
	assert_ptr_equal(lane->nodes, there->nodes);
	close_ground(&ground);
}

TEST_MAIN(NULL, NULL)
