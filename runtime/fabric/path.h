/* Functions with which the files of this folder build routes and trees. */
#ifndef FABRIC_PATH_H
#define FABRIC_PATH_H

#include "fabric/graph.h"
#include "fabric/tree.h"

/* True if a link between the two chips leads from one end of a row or column to the other. */
bool fabric_wraps(const struct cluster_info *info, uint16_t from, uint16_t to);

/* True if a topology's routes may use a connection of these chips. */
bool fabric_takes(
	enum fabric_topology topology, const struct cluster_info *info, const uint16_t ends[2]);

/* Returns the next chip of a route from `from` to a target: a neighbour that is one hop nearer to
 * the target. Prefers a neighbour in the same row of the mesh; otherwise takes the neighbour with
 * the lowest number. `distance` has the number of hops to the target for every chip
 * (fabric_graph_distances()). `from` must not be the target, and a route to the target must
 * exist. */
uint16_t fabric_next_hop(const struct fabric_graph *graph, uint16_t from, const uint16_t *distance);

/* Computes the route from `source` to `target` on a machine with holes: the shortest that climbs
 * (fabric/graph.h), along the row first. Writes the chips of the route, including both ends, to
 * `chips`, which has room for all chips of the machine. Returns the number of hops, or 0 if no
 * links lead to `target`. */
uint32_t fabric_detour(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips);

/* Computes the route of fabric_unicast() from `source` to `target`, which must differ. Writes the
 * chips of the route, including both ends, to `chips`, which has room for all chips of the machine.
 * Returns the number of hops, or 0 if there is no route. */
uint32_t fabric_way(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips);

/* Builds a tree from `root`. before[chip] is the parent of a chip of the machine, or CHIP_NONE if
 * the chip is not in the tree. Branches that lead to no chip marked in `member` are left out. */
struct fabric_tree *fabric_grow(const struct fabric_graph *graph, uint16_t root,
	const uint16_t *before, const bool *member, struct arena *arena);

/* Builds the tree of fabric_line_columns() on a machine with holes. All routes of the tree climb,
 * that is, the numbers of their channels increase. The routes pass around missing parts, if
 * necessary over chips outside the range. */
enum status fabric_detour_tree(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* Builds a tree from `nodes`. The tree delivers to the chips marked in `member`, except the chip of
 * the first node. Branches that lead to none of these chips are left out. Only the members `chip`
 * and `parent` of the nodes are read. A parent must come before its children, and siblings must be
 * consecutive. The tree takes over the array. */
struct fabric_tree *fabric_prune(
	struct fabric_node *nodes, uint32_t count, const bool *member, struct arena *arena);

#endif
