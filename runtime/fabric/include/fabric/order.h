/* The order that keeps packets on a machine with holes from waiting for each other in a circle:
 * every channel, which is one direction between two chips, has a number, and numbers along a route
 * only increase. If links connect two chips, a climbing route does too. */
#ifndef FABRIC_ORDER_H
#define FABRIC_ORDER_H

#include "fabric/graph.h"

/* Open value; the arrays belong to an arena. Channels are indices of graph->neighbour. */
struct fabric_order {
	const uint32_t *number;	 /* [channel], each once */
	const uint32_t *reverse; /* [channel] the opposite one */
	const bool *tree;	 /* [channel] belongs to a spanning tree, along which every route
				  * climbs */
};

/* True if all places of the mesh are occupied, all neighbours are joined, either all or no rows and
 * columns are rings, and chips beside the mesh have one neighbour. Then dimension order needs no
 * detours. */
bool fabric_is_whole(const struct fabric_graph *graph);

/* Numbers the channels of any graph. Where nothing is missing, routes in dimension order climb,
 * except at one place of every ring. */
const struct fabric_order *fabric_order_new(const struct fabric_graph *graph, struct arena *arena);

/* True if a packet that came over channel `in` may continue over channel `out`, which begins where
 * `in` ends. */
static inline bool fabric_order_climbs(const struct fabric_order *order, uint32_t in, uint32_t out)
{
	return order->number[in] < order->number[out] && order->reverse[in] != out;
}

#endif
