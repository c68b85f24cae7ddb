/* Declarations shared by the files of the solver. Only for files of this folder. */
#ifndef TOPOLOGY_SOLVE_PRIVATE_H
#define TOPOLOGY_SOLVE_PRIVATE_H

#include "topology/solve.h"
#include "base/stream.h"

/* --- order.c -------------------------------------------------------------------------------- */

/* The order in which nodes are placed, and the neighbours of each. */
struct order {
	uint32_t *node;	    /* the nodes in order */
	uint32_t *position; /* the position of each node in the order */
	uint32_t *first;    /* placed neighbours of node[i]: before[first[i]] .. */
	uint32_t *before, *need;
	uint32_t *later; /* neighbours of node[i] that come after it */
	bool *ends_part; /* node[i] is the last of its part */
	bool *starts_part;
	bool *loose; /* true for a part if nothing later depends on which chips its single nodes
		      * have */
};

struct order order_make(const struct solve_problem *problem, struct arena *arena);

/* --- refute.c ------------------------------------------------------------------------------- */

/* Returns a reason why there is no mapping, if one can be found without search; otherwise NULL. */
const char *refute(const struct solve_problem *problem, struct arena *arena);

/* --- filter.c ------------------------------------------------------------------------------- */

/* Reduces the domains by comparing the links of each node with those of each chip. Sets `*none` if
 * a domain becomes empty. If the comparison would be too much work, returns the domains of the
 * problem unchanged. Adds its work to `steps`. */
const struct solve_domain *filter_domains(
	const struct solve_problem *problem, bool *none, uint64_t *steps, struct arena *arena);

/* --- search.c ------------------------------------------------------------------------------- */

struct search_limits {
	uint64_t budget;
	uint64_t seed; /* 0: chips in rising order; otherwise chips are shuffled with this seed */
};

/* Searches by backtracking. Fills verdict, image (in `arena`), placed and steps. */
struct solve_result search(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits, struct arena *arena);

/* --- ring.c --------------------------------------------------------------------------------- */

/* A target that is one ring or one line. All its nodes need the same number of channels. It has no
 * conditions other than those that the method supports. */
struct ring {
	uint32_t *nodes; /* along it */
	uint32_t length, need;
	bool closed;
};

/* True if the target is such a ring or line; fills *ring. */
bool ring_recognize(const struct solve_problem *problem, struct ring *ring, struct arena *arena);

/* Builds the ring or line, refutes it, or gives up with SOLVE_BUDGET. */
struct solve_result ring_solve(const struct solve_problem *problem, const struct ring *ring,
	uint64_t budget, struct arena *arena);

/* --- ring_grow.c ---------------------------------------------------------------------------- */

/* Looks for a cycle of `length` chips, or for a path if not `closed`. Stores the chips in `out`, in
 * order. Returns false if it found none within `budget` steps. Adds the steps to `*steps`. */
bool ring_grow(const struct wired *host, uint32_t length, bool closed, uint64_t budget,
	uint64_t *steps, uint32_t *out, struct arena *arena);

/* The state of search.c, and the conditions on whole parts. Only for files of this folder. */

/* The choice of one depth. */
struct level {
	const uint32_t *chips; /* NULL: all */
	uint32_t count, at, turn;
	uint32_t chip, lacking; /* chosen */
};

/* Sets of chips on which a part failed, as hashes. */
struct seen {
	uint64_t *keys;
	uint32_t count;
};

struct state {
	const struct solve_problem *problem;
	const struct order *order;
	const struct search_limits *limits;
	struct stream stream;
	struct level *levels;
	uint32_t depth, lacking;
	uint64_t steps;
	uint32_t *image, *owner; /* chip of a node, node of a chip */
	uint32_t *unit_machine, *unit_placed, *unit_size, *machine_free;
	uint32_t *board_unit, *board_used;
	uint32_t *part_first, *part_size; /* first node and number of nodes of each part */
	uint32_t *join_end;		  /* for each join: its part that is placed last */
	struct seen *seen;		  /* per part */
	uint32_t *walked, *queue;	  /* per chip: for the walk over free chips */
	uint32_t walks;
	bool connected; /* every part is connected */
	struct arena arena;
};

struct state *search_start(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits);
void search_stop(struct state *state);

uint32_t search_part(const struct solve_problem *problem, uint32_t node);

/* Forgets the sets of a part, because earlier parts have changed. */
void search_forget(struct state *state, uint32_t part);

/* Called when a part ends at this depth. Counts in the level the joins that lack channels although
 * all their parts are placed. Returns false in three cases: the search now has more of these joins
 * than the slack, the set of chips of the part was tried before, or the free chips cannot hold the
 * remaining parts. */
bool search_end_part(struct state *state);

#endif
