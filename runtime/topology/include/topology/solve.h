/* Maps one graph, the target, into another graph, the host. Every node of the target is placed on a
 * chip of its own (a node of the host), and every edge on a link with enough channels. Pins,
 * machines and boards restrict the mapping. If no mapping is found, the verdict says whether it is
 * proved that none exists, or the budget was exhausted. The result is deterministic. */
#ifndef TOPOLOGY_SOLVE_H
#define TOPOLOGY_SOLVE_H

#include "base/text.h"
#include "topology/wired.h"

enum { SOLVE_ANY = 0xffffffff };

/* A connection between two groups of whole parts of the target. Group a consists of the `count_a`
 * parts from first_a on; group b of the `count_b` parts from first_b on. The chips of the two
 * groups must have at least `channels` channels between them. */
struct solve_join {
	uint32_t first_a, count_a, first_b, count_b, channels;
};

/* The chips that a node may go to, in rising order. */
struct solve_domain {
	const uint32_t *chips; /* NULL: any */
	uint32_t count;
};

/* The conditions of a mapping. If a pointer is NULL, there is no condition of this kind. Arrays
 * have one entry for each node of the target, or for each node of the host. */
struct solve_problem {
	const struct wired *target, *host; /* `target` has the required channels, `host` the
					    * channels that are present */
	const struct solve_domain *domains;
	/* A node and its chip must have the same colour, unless one of the two is SOLVE_ANY. */
	const uint32_t *target_colour, *host_colour;
	/* All nodes of one unit (a rank) must be placed on chips of one machine. If several chips
	 * of one board are used, their nodes must belong to the same unit. */
	const uint32_t *unit, *machine, *board;
	uint32_t unit_count, machine_count, board_count;
	/* Parts (meshes) of the target, from 0; nodes of a part have consecutive numbers. */
	const uint32_t *part;
	uint32_t part_count;
	const struct solve_join *joins;
	uint32_t join_count;
	uint64_t budget; /* candidates tried; 0: a default */
	/* For diagnosis: the number of target edges that may be placed on links with too few
	 * channels. Such a link may even be missing; for a missing link, the host has an edge with
	 * 0 channels. */
	uint32_t slack;
};

enum solve_verdict {
	SOLVE_FOUND,
	SOLVE_NONE,   /* proved that there is none */
	SOLVE_BUDGET, /* none was found; there may be one */
};

struct solve_result {
	enum solve_verdict verdict;
	uint32_t *image; /* the chip on which each node is placed. If no mapping was found, this is
			  * the largest partial mapping, with SOLVE_ANY for the other nodes */
	uint32_t placed; /* number of nodes that have a chip in the image */
	uint64_t steps;	 /* candidates tried, and other work of the same cost */
	const char *how; /* a phrase naming the method that decided */
};

enum { SOLVE_BUDGET_DEFAULT = 20000000 };

/* The image is allocated in `arena`. */
struct solve_result solve(const struct solve_problem *problem, struct arena *arena);

/* Checks a mapping independently of the search. Returns true if `image` meets all conditions.
 * Otherwise appends the first few violations to `why`, which may be NULL, and returns false. */
bool solve_check(const struct solve_problem *problem, const uint32_t *image, struct text *why);

#endif
