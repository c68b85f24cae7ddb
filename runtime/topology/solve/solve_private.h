/* The methods of the solver: ordering nodes, proofs by counting, filtering domains, backtracking,
 * and rings. Only for files of this folder. */
#ifndef TOPOLOGY_SOLVE_PRIVATE_H
#define TOPOLOGY_SOLVE_PRIVATE_H

#include "topology/solve.h"
#include "base/stream.h"

/* --- order.c -------------------------------------------------------------------------------- */

/* The order in which nodes are placed, and the neighbours of each node. */
struct order {
	uint32_t *node;	    /* the nodes in order */
	uint32_t *position; /* the position of each node in the order */
	uint32_t *first;    /* the placed neighbours of node[i] begin at before[first[i]] */
	uint32_t *before, *need;
	uint32_t *later; /* [i] number of neighbours of node[i] that come after it */
	bool *ends_part; /* [i] true if node[i] is the last of its part */
	bool *starts_part;
	bool *loose; /* [part] true if no edge leads from the part to a later part. For later
		      * parts, it then only matters which chips the part uses */
};

struct order order_make(const struct solve_problem *problem, struct arena *arena);

/* --- refute.c ------------------------------------------------------------------------------- */

/* Returns a reason why there is no mapping, if counting can find one; otherwise NULL. */
const char *refute(const struct solve_problem *problem, struct arena *arena);

/* --- filter.c ------------------------------------------------------------------------------- */

/* Removes a chip from a node's domain if the node's links cannot all be placed on links of the
 * chip. Returns the reduced domains. Does not filter problems that are large or have slack: then
 * returns the domains of the problem. Sets *none to true if a domain becomes empty, otherwise to
 * false. Adds the number of steps to *steps. */
const struct solve_domain *filter_domains(
	const struct solve_problem *problem, bool *none, uint64_t *steps, struct arena *arena);

/* --- search.c ------------------------------------------------------------------------------- */

struct search_limits {
	uint64_t budget;
	uint64_t seed; /* 0: candidates are tried in ascending order; otherwise the seed of the
			* random position from which candidates are tried */
};

/* Searches by backtracking. Fills in verdict, image (in `arena`), placed and steps. */
struct solve_result search(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits, struct arena *arena);

/* --- ring.c --------------------------------------------------------------------------------- */

/* A target that is a single ring or line. All its edges need the same number of channels, and the
 * problem has only conditions that the method of ring.c supports. */
struct ring {
	uint32_t *nodes; /* the nodes in order along the ring or line */
	uint32_t length, need;
	bool closed;
};

/* Returns true if the target is a ring or line that ring.c supports; fills in *ring. */
bool ring_recognize(const struct solve_problem *problem, struct ring *ring, struct arena *arena);

/* Builds the ring or line, proves that there is none, or stops with SOLVE_BUDGET. */
struct solve_result ring_solve(const struct solve_problem *problem, const struct ring *ring,
	uint64_t budget, struct arena *arena);

/* --- ring_grow.c ---------------------------------------------------------------------------- */

/* Looks for a cycle of `length` chips or, if `closed` is not set, for a path. Writes the chips to
 * `out`, in their order. Returns false if no cycle or path was found in 64 attempts or within about
 * `budget` steps. Adds the steps to *steps. */
bool ring_grow(const struct wired *host, uint32_t length, bool closed, uint64_t budget,
	uint64_t *steps, uint32_t *out, struct arena *arena);

/* The state of search.c, and the conditions on whole parts. Only for files of this folder. */

/* The choice at one depth. */
struct level {
	const uint32_t *chips; /* candidates; NULL: all chips */
	uint32_t count, at, turn;
	/* the chosen chip, and the number of its links with too few channels */
	uint32_t chip, lacking;
};

/* The sets of chips on which a part was placed before, as hashes. */
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
	uint32_t *image, *owner; /* [node] its chip; [chip] its node */
	uint32_t *unit_machine, *unit_placed, *unit_size, *machine_free;
	uint32_t *board_unit, *board_used;
	/* [part] number of its first node, and number of its nodes */
	uint32_t *part_first, *part_size;
	uint32_t *join_end;	  /* [join] its part that is placed last */
	struct seen *seen;	  /* [part] the sets of chips on which it was placed */
	uint32_t *walked, *queue; /* [chip] used by the walk over free chips */
	uint32_t walks;
	bool connected; /* true if every part is connected */
	struct arena arena;
};

struct state *search_start(const struct solve_problem *problem, const struct order *order,
	const struct search_limits *limits);
void search_stop(struct state *state);

uint32_t search_part(const struct solve_problem *problem, uint32_t node);

/* Drops the stored sets of a part, because earlier parts have changed. */
void search_forget(struct state *state, uint32_t part);

/* Called when the last node of a part was placed. Checks the joins whose parts are now all placed,
 * and adds those with too few channels to `lacking` of the level and of the state. Returns false if
 * the search must go back, for one of three reasons: too many joins and links have too few
 * channels, the part was already tried on this set of chips, or the free chips cannot hold the
 * remaining parts. */
bool search_end_part(struct state *state);

#endif
