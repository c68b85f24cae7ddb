/* Adjacency of chips, made from the fabric links of the cluster. Neighbours are ordered by chip
 * number, so everything built on it is deterministic. */
#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include <stdbool.h>

#include "base/arena.h"
#include "world/device.h"

struct fabric_order; /* fabric/order.h */

/* The links that routes may use (fabric/topology.h). */
enum fabric_topology {
	FABRIC_LINE,  /* along rows and columns; never over links that wrap around */
	FABRIC_RING,  /* also over those */
	FABRIC_MESH,  /* in two dimensions; never over links that wrap around */
	FABRIC_TORUS, /* also over those: a ring's routers leave a slot free */
	FABRIC_TOPOLOGY_COUNT
};

/* Open value; the arrays belong to its arena. */
struct fabric_graph {
	const struct cluster_info *info;
	uint32_t *first;     /* [chip] -> index in neighbours; chip_count + 1 entries */
	uint16_t *neighbour; /* chips, ascending per chip, each once */
	enum fabric_topology topology;
	const struct fabric_order *order; /* order that routes climb; NULL: nothing is missing */
};

/* Builds the adjacency, and the order of channels if something is missing. Several connections
 * between the same chips count once. Uses all links, as FABRIC_TORUS. */
void fabric_graph_init(
	struct fabric_graph *graph, const struct cluster_info *info, struct arena *arena);

/* The same with the links of a topology only. */
void fabric_graph_init_topology(struct fabric_graph *graph, const struct cluster_info *info,
	enum fabric_topology topology, struct arena *arena);

/* The channel from a chip to a neighbour: the index of `to` in `neighbour`. Chips that are not
 * joined are a bug. */
uint32_t fabric_graph_channel(const struct fabric_graph *graph, uint16_t from, uint16_t to);

/* True if a link joins the two chips. */
bool fabric_graph_joined(const struct fabric_graph *graph, uint16_t a, uint16_t b);

/* Hops of the shortest route from every chip to `target`, UINT16_MAX if there is none.
 * `distance` has chip_count entries. O(chips + connections). */
void fabric_graph_distances(const struct fabric_graph *graph, uint16_t target, uint16_t *distance);

#endif
