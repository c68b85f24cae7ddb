/* The state in which a Chakra trace is planned, and what the files that plan it share. Only for
 * files of this folder. */
#ifndef CHAKRA_PLANNER_H
#define CHAKRA_PLANNER_H

#include "chakra_plan.h"

struct planner {
	const struct chakra_trace *trace;
	uint64_t *const *time_ns;
	uint64_t fuse_ns;
	struct arena *arena;
	struct diag *diag;
	struct chakra_plan *plan;
	struct chakra_phase **last;
	uint32_t **order; /* [rank] its nodes */
	uint32_t *at;	  /* [rank] number of nodes in earlier phases */
	uint32_t *end;	  /* [rank] end of the nodes in the next phase */
	struct chakra_groups groups;
};

/* Returns node `at` of a rank's order, or NULL after the last. */
const struct chakra_node *planner_node_at(
	const struct planner *planner, uint32_t rank, uint32_t at);

/* Returns the file of a rank, for messages. */
struct location planner_where(const struct planner *planner, uint32_t rank);

/* True if the node is a send or a receive. */
bool planner_is_message(const struct chakra_node *node);

/* Adds a phase with the nodes from at[rank] to end[rank] - 1 of each rank. Then sets at[rank] to
 * end[rank], where the next phase begins. */
struct chakra_phase *planner_add_phase(struct planner *planner, enum chakra_phase_kind kind);

/* Skips a collective whose group has only one rank. Returns false if there is none. */
bool planner_pass_alone(struct planner *planner);

/* Adds the next collectives of some groups, each of which must be the next node of all ranks of its
 * group. Returns false after an error, or if no nodes are left. */
bool planner_add_collective(struct planner *planner);

#endif
