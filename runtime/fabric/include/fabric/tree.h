/* Trees of routes, whether they fit the topology of the fabric, and whether packets along them
 * could wait for each other in a circle. */
#ifndef FABRIC_TREE_H
#define FABRIC_TREE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "fabric/graph.h"
#include "fabric/virtual_mesh.h"

/* The shortest route from `source` to `target`, which differ. Dimension order: along the row as
 * long as that reduces the distance, then along the column; wrap-around links are used. On a
 * machine with holes (graph->order), the shortest climbing route. NOT_FOUND if no links lead there.
 */
enum status fabric_unicast(const struct fabric_graph *graph, uint16_t source, uint16_t target,
	struct arena *arena, struct fabric_tree **tree);

/* Multicast from `initiator` to every chip of `range` of `mesh` but the initiator itself: a line
 * along the row where it enters, then up and down every column. An initiator outside the range (a
 * gateway, say) reaches it by the shortest route to its nearest chip. Delivers to each chip once;
 * every hop is an existing link. A range of the initiator alone gives a tree of one node that
 * delivers nowhere. On a machine with holes it leads round them, outside the range too. NOT_FOUND
 * (not reachable), with a sentence in `why` (may be NULL). */
enum status fabric_line_columns(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* The same along a ring through all chips of the range, one half each way from its entry: with n
 * chips, n / 2 hops from there. Two rows, or an even number of them, or wrap-around links make a
 * ring; the same for columns. Also UNSUPPORTED, with a sentence in `why` (may be NULL): no ring of
 * links leads through the range. */
enum status fabric_ring(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* The same along shortest routes (fabric_unicast()) to each chip, over wrap-around links and chips
 * outside the range, too. On a machine with holes as fabric_line_columns(). */
enum status fabric_shortest(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree);

/* The part of a tree that leads to the chips marked in `member` ([chip of the machine]); it
 * delivers to all of them except its source. Packets use the same links in both trees. */
struct fabric_tree *fabric_subtree(
	const struct fabric_tree *tree, const bool *member, struct arena *arena);

/* Detects whether packets could wait for each other in a circle: a packet that holds room behind
 * one channel waits for room behind the next channel of its tree. Checks any trees, whatever made
 * them. */

/* The waits of the trees of a traffic. Open value; the array belongs to its arena. */
struct fabric_waits {
	const struct fabric_graph *graph;
	uint32_t *first; /* [channel] index in `waits`; channels + 1 entries */
	bool *waits;	 /* [first[in] + k] for the k-th channel out of the chip where `in` ends */
};

void fabric_waits_init(
	struct fabric_waits *waits, const struct fabric_graph *graph, struct arena *arena);

/* Adds a tree of the same machine; NULL is allowed. */
void fabric_waits_add(struct fabric_waits *waits, const struct fabric_tree *tree);

/* OK if there is no circle; else UNSUPPORTED, with a sentence in `why` (may be NULL) that names its
 * chips. */
enum status fabric_waits_check(const struct fabric_waits *waits, struct text *why);

/* Topologies of the fabric: the links that routes may use, and the forms that routes may have. */

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
