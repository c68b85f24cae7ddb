/* Routes over the fabric, as trees of hops (struct fabric_tree of world/device.h): from chip to
 * chip, and from an initiator to every chip of a sub-grid (spec 3.8.8.2). Trees belong to the
 * arena. */
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

#endif
