/* A virtual mesh on a test platform, for tests of routes and trees. Also has a function that checks
 * the properties that every tree must have. */
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

/* Checks the structure of a tree. Every hop must be a link, the children of a node must be
 * consecutive and name it as their parent, no chip may occur twice, and deliver_count must be
 * correct. If `delivered` is not NULL, also counts in `delivered` how often each chip receives a
 * packet. */
void fabric_check_tree(
	const struct fabric_graph *graph, const struct fabric_tree *tree, uint8_t *delivered);

/* Returns the number of hops to the farthest chip of the tree. */
uint32_t fabric_tree_depth(const struct fabric_tree *tree);

#endif
