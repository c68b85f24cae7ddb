/* The state of search.c, and the conditions on whole parts. Private. */
#ifndef TOPOLOGY_SEARCH_STATE_H
#define TOPOLOGY_SEARCH_STATE_H

#include "base/stream.h"
#include "solve_private.h"

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
	uint32_t *part_first, *part_size; /* nodes of a part */
	uint32_t *join_end;		  /* of a join: its part that is placed last */
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

/* Checks the part that ends at this depth: false if its set of chips was tried before, or if a join
 * whose parts are all placed lacks more channels than the slack, which is counted in the level. */
bool search_end_part(struct state *state);

#endif
