/* Maps one graph into another: every node of the target to a chip of its own, every edge to a link
 * with enough channels, within what pins, hosts and boards allow. Says whether what it did not find
 * is not there, or was not found within the budget. Deterministic. */
#ifndef TOPOLOGY_SOLVE_H
#define TOPOLOGY_SOLVE_H

#include "base/text.h"
#include "topology/wired.h"

enum { SOLVE_ANY = 0xffffffff };

/* What goes on between parts of the target as a whole: at least `channels` between the images of
 * parts first_a .. first_a + count_a - 1 and first_b .. first_b + count_b - 1. */
struct solve_join {
	uint32_t first_a, count_a, first_b, count_b, channels;
};

/* Chips that a node may go to, rising. */
struct solve_domain {
	const uint32_t *chips; /* NULL: any */
	uint32_t count;
};

/* Pointers may be NULL: no such condition. Arrays have one entry a node of target or host. */
struct solve_problem {
	const struct wired *target, *host; /* channels of the target: needed; of the host: there */
	const struct solve_domain *domains;
	/* A node and its chip agree, unless one of them is SOLVE_ANY. */
	const uint32_t *target_colour, *host_colour;
	/* Nodes of one unit (a rank) go to chips of one machine; a board has chips of one unit. */
	const uint32_t *unit, *machine, *board;
	uint32_t unit_count, machine_count, board_count;
	/* Parts (meshes) of the target, from 0; nodes of a part are neighbours in number. */
	const uint32_t *part;
	uint32_t part_count;
	const struct solve_join *joins;
	uint32_t join_count;
	uint64_t budget; /* candidates tried; 0: a default */
	/* Edges of the target that may lack channels, or be missing where `host` has edges of 0
	 * channels. For finding out what is wrong. */
	uint32_t slack;
};

enum solve_verdict {
	SOLVE_FOUND,
	SOLVE_NONE,   /* there is none: proved */
	SOLVE_BUDGET, /* none was found; there may be one */
};

struct solve_result {
	enum solve_verdict verdict;
	uint32_t *image; /* a chip a node; if not found, the most that stood at once, or SOLVE_ANY
			  */
	uint32_t placed; /* nodes of it */
	uint64_t steps;	 /* candidates tried, and what else took as long */
	const char *how; /* the method that decided: a phrase */
};

enum { SOLVE_BUDGET_DEFAULT = 20000000 };

/* The image lives in `arena`. */
struct solve_result solve(const struct solve_problem *problem, struct arena *arena);

/* Independent of all that: true if `image` keeps every condition. Otherwise the first few that it
 * does not keep are appended to `why`, which may be NULL. */
bool solve_check(const struct solve_problem *problem, const uint32_t *image, struct text *why);

#endif
