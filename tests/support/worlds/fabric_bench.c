/* See fabric_bench.h. */
#include "test.h"

#include "fabric_bench.h"

#include <stdlib.h>
#include <string.h>

void fabric_bench_open(struct fabric_bench *bench, struct test_cluster config,
	struct mesh_shape shape, struct mesh_offset offset)
{
	memset(bench, 0, sizeof(*bench));
	bench->info = test_cluster_info_new(&config);
	fabric_graph_init(&bench->graph, bench->info, &bench->arena);
	assert_int_equal(
		virtual_mesh_init(&bench->mesh, bench->info, shape, offset, &bench->arena, NULL),
		STATUS_OK);
}

void fabric_bench_close(struct fabric_bench *bench)
{
	arena_fini(&bench->arena);
	test_cluster_info_free(bench->info);
}

void fabric_check_tree(
	const struct fabric_graph *graph, const struct fabric_tree *tree, uint8_t *delivered)
{
	uint8_t *seen = calloc(graph->info->chip_count, 1);
	uint32_t deliver = 0, children = 0;

	assert_false(tree->nodes[0].deliver);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct fabric_node *node = &tree->nodes[i];

		assert_int_equal(seen[node->chip]++, 0);
		deliver += node->deliver;
		if (delivered != NULL)
			delivered[node->chip] += node->deliver;
		children += node->child_count;
		for (uint32_t k = 0; k < node->child_count; k++)
			assert_int_equal(tree->nodes[node->first_child + k].parent, i);
		if (i > 0) {
			assert_true(node->parent < i);
			assert_true(fabric_graph_joined(
				graph, node->chip, tree->nodes[node->parent].chip));
		}
	}
	assert_int_equal(children, tree->node_count - 1);
	assert_int_equal(deliver, tree->deliver_count);
	free(seen);
}

uint32_t fabric_tree_depth(const struct fabric_tree *tree)
{
	uint32_t deepest = 0;

	for (uint32_t i = 1; i < tree->node_count; i++) {
		uint32_t depth = 0;

		for (uint32_t at = i; at != 0; at = tree->nodes[at].parent)
			depth++;
		if (depth > deepest)
			deepest = depth;
	}
	return deepest;
}
