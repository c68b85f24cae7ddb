/* The graph of chips and their neighbours, made from the fabric links of the cluster. Neighbours
 * are ordered by chip number, so everything that is computed from the graph is deterministic. */
#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include <stdbool.h>

#include "base/arena.h"
#include "world/device.h"

struct fabric_order; /* see below */

/* The links that routes may use (fabric/tree.h). */
enum fabric_topology {
	FABRIC_LINE, /* routes go along rows or columns, never over links that wrap around */
	FABRIC_RING, /* routes go along rows or columns, also over links that wrap around */
	FABRIC_MESH, /* routes go in two dimensions, never over links that wrap around */
	/* routes use both dimensions, and links that wrap around. These links close rings; routers
	 * leave one slot of each ring free, so that its packets cannot block each other */
	FABRIC_TORUS,
	FABRIC_TOPOLOGY_COUNT
};

/* A graph of chips. The arrays belong to the arena given to fabric_graph_init(). */
struct fabric_graph {
	const struct cluster_info *info;
	uint32_t *first;     /* [chip] index in `neighbour` of the chip's first neighbour. The
			      * entry after the last chip is the length of `neighbour` */
	uint16_t *neighbour; /* the neighbours of each chip, in ascending order, each once */
	enum fabric_topology topology;
	const struct fabric_order *order; /* numbers of the channels, which increase along every
					   * route; NULL if the machine has no holes */
};

/* Builds the graph of all links, as for FABRIC_TORUS. Several connections between the same two
 * chips count as one link. If the machine has holes, also builds the order of channels. */
void fabric_graph_init(
	struct fabric_graph *graph, const struct cluster_info *info, struct arena *arena);

/* Builds the graph of the links that a topology may use. Works like fabric_graph_init()
 * otherwise. */
void fabric_graph_init_topology(struct fabric_graph *graph, const struct cluster_info *info,
	enum fabric_topology topology, struct arena *arena);

/* Returns the channel from a chip to a neighbour. The channel is the index of `to` in `neighbour`.
 * A link must join the chips. */
uint32_t fabric_graph_channel(const struct fabric_graph *graph, uint16_t from, uint16_t to);

/* Returns true if a link joins the two chips. */
bool fabric_graph_joined(const struct fabric_graph *graph, uint16_t a, uint16_t b);

/* Sets distance[chip] for each chip: the number of hops of the shortest route to `target`, or
 * UINT16_MAX if there is no route. Takes O(chips + connections). */
void fabric_graph_distances(const struct fabric_graph *graph, uint16_t target, uint16_t *distance);

/* Numbers for the channels of a machine with holes. A channel is one direction between two
 * neighbours, identified by its index in graph->neighbour. A route climbs if the numbers of its
 * channels increase. If all routes climb, packets cannot wait for each other in a circle. Wherever
 * there is a route between two chips, there is also one that climbs. The arrays belong to an arena.
 */
struct fabric_order {
	const uint32_t *number;	 /* [channel] number of the channel; no two channels have the
				  * same number */
	const uint32_t *reverse; /* [channel] the channel in the opposite direction */
	const bool *tree;	 /* [channel] true if the channel belongs to the spanning tree;
				  * along every route in this tree, the numbers of the channels
				  * increase */
};

/* Returns true if the machine is a whole mesh, in which routes in dimension order (along a row,
 * then along a column) reach every chip. In a whole mesh, every position has a chip, and all
 * neighbours are joined. Either all rows are rings or all are lines; the same holds for the
 * columns. A chip outside the mesh has at most one neighbour, which is in the mesh. There are no
 * other links. */
bool fabric_is_whole(const struct fabric_graph *graph);

/* Numbers the channels of any graph. On a machine without holes, the numbers increase along routes
 * in dimension order, except at one place in every ring. */
const struct fabric_order *fabric_order_new(const struct fabric_graph *graph, struct arena *arena);

/* Returns true if a packet that came over channel `in` may continue over channel `out`. Channel
 * `out` must begin at the chip where channel `in` ends. */
static inline bool fabric_order_climbs(const struct fabric_order *order, uint32_t in, uint32_t out)
{
	return order->number[in] < order->number[out] && order->reverse[in] != out;
}

#endif
