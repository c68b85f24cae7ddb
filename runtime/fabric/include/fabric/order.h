/* What keeps routes of a machine with holes from waiting for each other in a circle: every channel,
 * which is one direction between two chips, has a number, and routes only climb. Refuses nothing:
 * where links lead from chip to chip, a route that climbs does too. */
#ifndef FABRIC_ORDER_H
#define FABRIC_ORDER_H

#include "fabric/graph.h"

/* Open value; the arrays belong to an arena. Channels are indices of graph->neighbour. */
struct fabric_order {
	const uint32_t *number;	 /* [channel], each once */
	const uint32_t *reverse; /* [channel] the one back */
	const bool *tree;	 /* [channel] of a spanning tree, along which every route climbs */
};

/* True if the places of the mesh are all taken, neighbours are all joined, rows and columns are all
 * rings or none is, and what stands beside the mesh has one neighbour. Then dimension order takes
 * no detours. */
bool fabric_is_whole(const struct fabric_graph *graph);

/* Numbers the channels of any graph: routes in dimension order climb wherever nothing is missing,
 * but for one place of every ring. */
const struct fabric_order *fabric_order_new(const struct fabric_graph *graph, struct arena *arena);

/* True if a packet that came over channel `in` may go on over channel `out`, which begins where
 * `in` ends. */
static inline bool fabric_order_climbs(const struct fabric_order *order, uint32_t in, uint32_t out)
{
	return order->number[in] < order->number[out] && order->reverse[in] != out;
}

#endif
