/* A virtual mesh on a test platform, for tests of routes and trees. Also checks properties that
 * every tree must have. */
#ifndef FABRIC_BENCH_H
#define FABRIC_BENCH_H

#include "fabric/tree.h"
#include "test_cluster.h"

struct fabric_bench {
	struct cluster_info *info;
	struct arena arena;
	struct fabric_graph graph;
	struct virtual_mesh mesh;
};

void fabric_bench_open(struct fabric_bench *bench, struct test_cluster config,
	struct mesh_shape shape, struct mesh_offset offset);

void fabric_bench_close(struct fabric_bench *bench);

/* Checks the structure of a tree: every hop is a link, children are consecutive and have the number
 * of their parent, no chip occurs twice, and deliver_count is correct. If `delivered` is not NULL,
 * also counts in `delivered` how often each chip receives a packet. */
void fabric_check_tree(
	const struct fabric_graph *graph, const struct fabric_tree *tree, uint8_t *delivered);

/* Returns the number of hops to the farthest chip of the tree. */
uint32_t fabric_tree_depth(const struct fabric_tree *tree);

#endif
