/* Topologies of the fabric: over which links of a machine routes may lead, and how they may run.
 * Makes no route, and has no prices. */
#ifndef FABRIC_TOPOLOGY_H
#define FABRIC_TOPOLOGY_H

#include "fabric/tree.h"

/* Name of a topology in scenarios: "line", "ring", "mesh", "torus". */
const char *fabric_topology_name(enum fabric_topology topology);

/* OK, or UNSUPPORTED with a sentence in `why` (may be NULL): the machine lacks the links that the
 * topology is named for. A torus has links that wrap around; a ring has some, too, or at least two
 * rows and columns, round whose edge it leads. */
enum status fabric_topology_fits(
	enum fabric_topology topology, const struct cluster_info *info, struct text *why);

/* OK, or UNSUPPORTED with a sentence in `why` (may be NULL): a topology of one dimension routes
 * along a row or a column of the mesh. A packet goes both ways from where it starts, and never
 * divides behind that. On a ring a multicast may turn, round the edge. `tree` may be NULL. */
enum status fabric_topology_routes(
	const struct fabric_graph *graph, const struct fabric_tree *tree, struct text *why);

#endif
