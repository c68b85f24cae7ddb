/* Which chips are joined by fabric links: adjacency made from the cluster's connections. Order of
 * neighbours: by chip number, so that everything built on it is deterministic. */
#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include <stdbool.h>

#include "base/arena.h"
#include "world/device.h"

struct fabric_order; /* fabric/order.h */

/* Open value; the arrays belong to the arena that it was made in. */
struct fabric_graph {
	const struct cluster_info *info;
	uint32_t *first;     /* [chip] -> index in neighbours; chip_count + 1 entries */
	uint16_t *neighbour; /* chips, ascending per chip, each once */
	const struct fabric_order *order; /* what routes keep to; NULL: nothing is missing */
};

/* Builds the adjacency, and the order of channels if something is missing. Several connections
 * between the same chips count once. */
void fabric_graph_init(
	struct fabric_graph *graph, const struct cluster_info *info, struct arena *arena);

/* The channel from a chip to a neighbour: the index of `to` in `neighbour`. Chips that are not
 * joined are a bug. */
uint32_t fabric_graph_channel(const struct fabric_graph *graph, uint16_t from, uint16_t to);

/* True if a link joins the two chips. */
bool fabric_graph_joined(const struct fabric_graph *graph, uint16_t a, uint16_t b);

/* Hops of the shortest route from every chip to `target`, UINT16_MAX if there is none.
 * `distance` has chip_count entries. O(chips + connections). */
void fabric_graph_distances(const struct fabric_graph *graph, uint16_t target, uint16_t *distance);

#endif
