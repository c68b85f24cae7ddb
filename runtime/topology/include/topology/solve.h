/* Maps one graph, the target, into another graph, the host. The nodes of the host are chips. Every
 * node of the target is placed on a separate chip, and every edge on a link with enough channels.
 * Pins, machines and boards restrict the mapping. If no mapping is found, the verdict says whether
 * it was proved that there is none, or whether the budget was exhausted. The result is
 * deterministic. */
#ifndef TOPOLOGY_SOLVE_H
#define TOPOLOGY_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* An undirected graph. Each edge has a number of channels. Both graphs of a mapping have this form:
 * the target consists of devices and their links, the host of chips and their links. If an edge is
 * given several times, its channels are added up. Edges from a node to itself are left out. A graph
 * does not change after it was made. */

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

/* Returns a subgraph. It contains the edges with at least `least` channels, and the nodes i for
 * which keep[i] is not UINT32_MAX; keep[i] is the number of the node in the subgraph. The subgraph
 * has `count` nodes. */
struct wired *wired_part(struct arena *arena, const struct wired *wired, const uint32_t *keep,
	uint32_t count, uint32_t least);

uint32_t wired_degree(const struct wired *wired, uint32_t node);

/* Returns the number of channels between two nodes; 0 if they are not joined. */
uint32_t wired_channels(const struct wired *wired, uint32_t a, uint32_t b);

/* Divides the nodes into two sides such that every edge with at least `least` channels joins the
 * two sides. Returns the side of each node, 1 or 2, in memory of `arena`. Returns NULL if this is
 * impossible because the graph has a cycle of odd length. */
uint8_t *wired_sides(const struct wired *wired, uint32_t least, struct arena *arena);

enum { SOLVE_ANY = 0xffffffff };

/* A connection between two groups of parts of the target; a part is a mesh. Group a consists of
 * `count_a` parts, beginning with first_a, and group b of `count_b` parts, beginning with first_b.
 * Between the chips of the two groups, there must be at least `channels` channels. */
struct solve_join {
	uint32_t first_a, count_a, first_b, count_b, channels;
};

/* The chips on which a node may be placed, in ascending order. */
struct solve_domain {
	const uint32_t *chips; /* NULL: any chips */
	uint32_t count;
};

/* The conditions of a mapping. If a pointer is NULL, there is no condition of this kind. Each array
 * has one entry for each node of the target, or for each node of the host. */
struct solve_problem {
	/* `target` contains the required channels, `host` the existing channels */
	const struct wired *target, *host;
	const struct solve_domain *domains;
	/* a node and its chip must have the same colour; SOLVE_ANY: any colour fits */
	const uint32_t *target_colour, *host_colour;
	/* All nodes of a unit (a rank) must be placed on chips of one machine. All nodes on chips
	 * of one board must belong to the same unit. */
	const uint32_t *unit, *machine, *board;
	uint32_t unit_count, machine_count, board_count;
	/* [node of the target] number of its part (mesh), from 0; the nodes of a part have
	 * consecutive numbers */
	const uint32_t *part;
	uint32_t part_count;
	const struct solve_join *joins;
	uint32_t join_count;
	uint64_t budget; /* maximum number of candidates to try; 0: the default */
	/* For diagnosis: how many edges and joins of the target may have too few channels. The link
	 * for such an edge may even be missing on the real machine. The caller then gives the host
	 * an edge with 0 channels in its place. */
	uint32_t slack;
};

enum solve_verdict {
	SOLVE_FOUND,
	SOLVE_NONE,   /* it is proved that no mapping exists */
	SOLVE_BUDGET, /* no mapping was found, but one may exist */
};

struct solve_result {
	enum solve_verdict verdict;
	/* [node] chip on which the node is placed; SOLVE_ANY: none. If no mapping was found, this
	 * is the largest mapping of some of the parts that a search has found; it may be empty */
	uint32_t *image;
	uint32_t placed; /* number of nodes in `image` that have a chip */
	uint64_t steps;	 /* number of candidates tried, and of other work with the same cost */
	const char *how; /* the method that decided, as a phrase */
};

enum { SOLVE_BUDGET_DEFAULT = 20000000 };

/* Solves a problem. The image is allocated in `arena`. */
struct solve_result solve(const struct solve_problem *problem, struct arena *arena);

/* Checks a mapping independently of the search. Returns true if `image` meets all conditions.
 * Otherwise appends the first few violations to `why`, which may be NULL, and returns false. */
bool solve_check(const struct solve_problem *problem, const uint32_t *image, struct text *why);

#endif
