/* Makes trees of routes. Also checks whether trees fit the topology of the fabric, and whether
 * packets along the trees could wait for each other in a circle. */
#ifndef FABRIC_TREE_H
#define FABRIC_TREE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/table/registry.h"
#include "base/text.h"
#include "fabric/graph.h"
#include "fabric/shape.h"

/* Builds the shortest route from `source` to `target`, which must be different chips. The route has
 * dimension order: it follows the row as long as this reduces the distance, then the column. It may
 * use wrap-around links. On a machine with holes (graph->order is not NULL), it is the shortest
 * climbing route. Returns OK, or NOT_FOUND if no links lead to the target. */
enum status fabric_unicast(const struct fabric_graph *graph, uint16_t source, uint16_t target,
	struct arena *arena, struct fabric_tree **tree);

/* Builds a tree for multicast from `initiator` to every chip of `range` of `mesh` except the
 * initiator itself. Inside the range, the tree is a line along the row where it enters the range,
 * with branches up and down every column. If the initiator is outside the range (for example a
 * gateway), the tree first takes the shortest route to the nearest chip of the range. The tree
 * delivers to each chip once; every hop is an existing link. If the range has no chip except the
 * initiator, the tree has one node and delivers to no chip. On a machine with holes, the tree may
 * lead around holes, even outside the range. Returns OK. Returns NOT_FOUND, with a sentence in
 * `why` (may be NULL), if a chip cannot be reached. */
enum status fabric_line_columns(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* Builds a multicast tree like fabric_line_columns(), but along a ring through all chips of the
 * range. The tree enters the ring at one chip. From there it continues in both directions, half of
 * the ring each way, so for n chips it has n / 2 hops from this chip. A ring exists if the range
 * has an even number of rows, an even number of columns, or wrap-around links. Returns OK. Returns
 * UNSUPPORTED if the links of the range form no ring, and NOT_FOUND if the initiator cannot reach
 * the range. An error comes with a sentence in `why` (may be NULL). */
enum status fabric_ring(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* Builds a multicast tree like fabric_line_columns(), but with the shortest route to each chip that
 * fabric_unicast() finds. These routes may use wrap-around links, and chips outside the range. If
 * chips are missing in the mesh, fabric_line_columns() and fabric_shortest() build the same tree.
 */
enum status fabric_shortest(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* Returns the subtree of a tree that leads to the chips marked in `member` ([chip of the machine]).
 * The subtree delivers to all of these chips except its source. It has the same route to each of
 * these chips as the tree. */
struct fabric_tree *fabric_subtree(
	const struct fabric_tree *tree, const bool *member, struct arena *arena);

/* The waits between channels that trees can cause. A packet occupies a slot at the end of a channel
 * until there is a free slot at the end of the next channel of its tree. If these waits form a
 * circle, packets could wait for each other for ever. The struct collects the waits of any number
 * of trees, which fabric_waits_add() adds. Its arrays belong to the arena given to
 * fabric_waits_init(). */
struct fabric_waits {
	const struct fabric_graph *graph;
	uint32_t *first; /* [channel] index of the channel's first entry in `waits`; channels +
			  * 1 entries */
	bool *waits;	 /* [first[in] + k] true if channel `in` waits for the k-th channel out
			  * of the chip where `in` ends */
};

void fabric_waits_init(
	struct fabric_waits *waits, const struct fabric_graph *graph, struct arena *arena);

/* Adds the waits of a tree of the same machine; NULL is allowed. */
void fabric_waits_add(struct fabric_waits *waits, const struct fabric_tree *tree);

/* Returns OK if the waits form no circle. Otherwise returns UNSUPPORTED, with a sentence in `why`
 * (may be NULL) that names the chips of a circle. */
enum status fabric_waits_check(const struct fabric_waits *waits, struct text *why);

/* A topology determines which links routes may use, and which forms routes may have. The entries of
 * the registry are in the order of enum fabric_topology. */
struct fabric_topology_row {
	struct registry_entry entry;
};
REGISTRY_DECLARE_OF(fabric_topology, fabric_topology_row)

/* Returns OK if the machine has the links of the topology. Otherwise returns UNSUPPORTED, with a
 * sentence in `why` (may be NULL). A torus needs links that wrap around. A ring needs wrap-around
 * links, or at least two rows and two columns; without wrap-around links, it follows the edge of
 * the mesh. If links join the machine's host to other hosts, the links of all hosts count. */
enum status fabric_topology_fits(
	enum fabric_topology topology, const struct cluster_info *info, struct text *why);

/* Returns OK if a tree fits the topology. Otherwise returns UNSUPPORTED, with a sentence in `why`
 * (may be NULL). In a topology of one dimension, routes follow a row or a column of the mesh. A
 * packet may leave its source in several directions, but must not divide later. On a ring, a
 * multicast may turn, because the ring may follow the edge of the mesh. If `tree` is NULL, returns
 * OK. */
enum status fabric_topology_routes(
	const struct fabric_graph *graph, const struct fabric_tree *tree, struct text *why);

#endif
