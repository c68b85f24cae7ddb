/* An undirected graph whose edges have channels. Both sides of a mapping are such graphs: devices
 * with their links, and chips with theirs. If an edge is given several times, its channels are
 * added up. Loops are left out. A graph does not change once it is made. */
#ifndef TOPOLOGY_WIRED_H
#define TOPOLOGY_WIRED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct wired_edge {
	uint32_t a, b, channels;
};

/* Neighbours of node i are to[first[i]] .. to[first[i + 1] - 1], in rising order. */
struct wired {
	uint32_t count; /* nodes */
	uint32_t *first, *to, *channels;
	uint32_t edge_count;
};

/* Returns a graph of `count` nodes, in memory of `arena`. */
struct wired *wired_new(
	struct arena *arena, uint32_t count, const struct wired_edge *edges, size_t edge_count);

/* Returns a mesh of rows x columns nodes, numbered row by row, with `channels` channels on every
 * edge. If `down` is set, columns are closed to rings; if `along` is set, rows are. A column or row
 * of only two nodes is not closed. */
struct wired *wired_mesh(struct arena *arena, uint32_t rows, uint32_t columns, bool down,
	bool along, uint32_t channels);

/* Returns a subgraph. It has the edges with at least `least` channels, and the nodes with keep[i]
 * != UINT32_MAX. keep[i] is the number of node i in the subgraph, which has `count` nodes. */
struct wired *wired_part(struct arena *arena, const struct wired *wired, const uint32_t *keep,
	uint32_t count, uint32_t least);

uint32_t wired_degree(const struct wired *wired, uint32_t node);

/* Channels between two nodes; 0 if they are not joined. */
uint32_t wired_channels(const struct wired *wired, uint32_t a, uint32_t b);

/* Returns the two sides of the graph if the graph is bipartite, counting only edges with at least
 * `least` channels. The result has 1 or 2 for each node, and is in memory of `arena`. Returns NULL
 * if the graph has a cycle of odd length. */
uint8_t *wired_sides(const struct wired *wired, uint32_t least, struct arena *arena);

#endif
