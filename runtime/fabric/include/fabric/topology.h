/* Topologies of the fabric: the links that routes may use, and the forms that routes may have. */
#ifndef FABRIC_TOPOLOGY_H
#define FABRIC_TOPOLOGY_H

#include "fabric/tree.h"

/* Name of a topology in scenarios: "line", "ring", "mesh", "torus". */
const char *fabric_topology_name(enum fabric_topology topology);

/* OK, or UNSUPPORTED with a sentence in `why` (may be NULL) if the machine lacks the links of the
 * topology. A torus needs links that wrap around; a ring needs some, too, or at least two rows and
 * columns, round whose edge it leads. */
enum status fabric_topology_fits(
	enum fabric_topology topology, const struct cluster_info *info, struct text *why);

/* OK, or UNSUPPORTED with a sentence in `why` (may be NULL) if a tree does not fit the topology. A
 * topology of one dimension routes along a row or a column of the mesh: a packet goes both ways
 * from its source, and does not divide later. On a ring a multicast may turn, round the edge.
 * `tree` may be NULL. */
enum status fabric_topology_routes(
	const struct fabric_graph *graph, const struct fabric_tree *tree, struct text *why);

#endif
