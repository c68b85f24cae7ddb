/* An undirected graph whose edges have channels. Both sides of a mapping are such graphs. Several
 * entries for one pair of nodes are one edge with the sum of their channels. Loops are left out.
 * Immutable. */
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

/* Makes a graph of `count` nodes in the arena. */
struct wired *wired_new(
	struct arena *arena, uint32_t count, const struct wired_edge *edges, size_t edge_count);

/* Returns a mesh of rows x columns nodes, numbered row by row, with `channels` on every edge. With
 * `down`, columns close to rings; with `along`, rows do. A column or row of two nodes stays
 * open. */
struct wired *wired_mesh(struct arena *arena, uint32_t rows, uint32_t columns, bool down,
	bool along, uint32_t channels);

/* Returns the subgraph of the nodes with keep[i] != UINT32_MAX and of the edges with at least
 * `least` channels. keep[i] is the new number of node i. */
struct wired *wired_part(struct arena *arena, const struct wired *wired, const uint32_t *keep,
	uint32_t count, uint32_t least);

uint32_t wired_degree(const struct wired *wired, uint32_t node);

/* Channels between two nodes; 0 if they are not joined. */
uint32_t wired_channels(const struct wired *wired, uint32_t a, uint32_t b);

/* Considers only the edges with at least `least` channels. If the graph of these edges is
 * bipartite, returns the side of each node, 1 or 2, in memory of `arena`. Otherwise the graph has a
 * cycle of odd length, and the result is NULL. */
uint8_t *wired_sides(const struct wired *wired, uint32_t least, struct arena *arena);

#endif
