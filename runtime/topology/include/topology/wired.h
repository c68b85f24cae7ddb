/* An undirected graph whose edges have channels. Both sides of a mapping are such graphs: one
 * consists of devices and their links, the other of chips and their links. If an edge is given
 * several times, its channels are added up. Loops are left out. A graph does not change after it
 * was made. */
#ifndef TOPOLOGY_WIRED_H
#define TOPOLOGY_WIRED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct wired_edge {
	uint32_t a, b, channels;
};

/* The neighbours of node i are to[first[i]] to to[first[i + 1] - 1], in ascending order. */
struct wired {
	uint32_t count; /* number of nodes */
	uint32_t *first, *to, *channels;
	uint32_t edge_count;
};

/* Returns a graph of `count` nodes, in memory of `arena`. */
struct wired *wired_new(
	struct arena *arena, uint32_t count, const struct wired_edge *edges, size_t edge_count);

/* Returns a mesh of rows x columns nodes, numbered row by row, with `channels` channels on every
 * edge. If `down` is set, columns are rings; if `along` is set, rows are rings. A column or row of
 * only two nodes is never a ring. */
struct wired *wired_mesh(struct arena *arena, uint32_t rows, uint32_t columns, bool down,
	bool along, uint32_t channels);

/* Returns a subgraph. It contains the edges with at least `least` channels, and the nodes with
 * keep[i] != UINT32_MAX. keep[i] is the number of node i in the subgraph, which has `count`
 * nodes. */
struct wired *wired_part(struct arena *arena, const struct wired *wired, const uint32_t *keep,
	uint32_t count, uint32_t least);

uint32_t wired_degree(const struct wired *wired, uint32_t node);

/* Returns the number of channels between two nodes; 0 if they are not joined. */
uint32_t wired_channels(const struct wired *wired, uint32_t a, uint32_t b);

/* If the graph is bipartite, returns its two sides: 1 or 2 for each node, in memory of `arena`.
 * Counts only edges with at least `least` channels. Returns NULL if the graph has a cycle of odd
 * length. */
uint8_t *wired_sides(const struct wired *wired, uint32_t least, struct arena *arena);

#endif
