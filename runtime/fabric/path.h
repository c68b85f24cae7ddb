/* Routes that the builders of trees share. Private to the room. */
#ifndef FABRIC_PATH_H
#define FABRIC_PATH_H

#include "fabric/graph.h"
#include "fabric/tree.h"

/* The neighbour of `from` that is one hop nearer to the target of `distance` (as of
 * fabric_graph_distances): one in the same row of the mesh if there is, else the lowest. `from` is
 * not the target and reaches it. */
uint16_t fabric_next_hop(const struct fabric_graph *graph, uint16_t from, const uint16_t *distance);

/* The chips of the route from `source` to `target` on a machine with holes, both included: the
 * shortest that climbs (fabric/order.h), along the row first. `chips` has room for all chips of the
 * machine. Returns the hops, 0 if no links lead there. */
uint32_t fabric_detour(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips);

/* fabric_line_columns() on a machine with holes: routes of the tree climb, and lead round what is
 * missing, over chips outside the range too. */
enum status fabric_detour_tree(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

#endif
