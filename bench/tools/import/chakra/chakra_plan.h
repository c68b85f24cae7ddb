/* The order in which the nodes of all ranks become steps. Only for files of this folder. */
#ifndef CHAKRA_PLAN_H
#define CHAKRA_PLAN_H

#include "bench/tools/import/chakra.h"

enum chakra_phase_kind {
	PHASE_COMPUTE,	  /* programs, at most one on each rank */
	PHASE_CPU,	  /* the host computes for some ranks */
	PHASE_MESSAGES,	  /* sends, receives and short computes of each rank */
	PHASE_COLLECTIVE, /* one node of each rank */
	PHASE_FINISH,	  /* the host waits for all ranks */
	PHASE_UNTIL,	  /* the host waits until a time */
};

/* The nodes of one rank in a phase, as indices of struct chakra_rank. */
struct chakra_part {
	const uint32_t *nodes;
	uint32_t count;
};

struct chakra_phase {
	struct chakra_phase *next;
	enum chakra_phase_kind kind;
	struct chakra_part *parts; /* [rank] */
	bool waits;		   /* PHASE_CPU: some node depends on a node that a device
				    * executes */
};

struct chakra_plan {
	struct chakra_phase *first;
	uint32_t phases;
	uint32_t skipped; /* number of nodes that were left out because they take no time */
};

/* Plans the steps, in `arena`. Each rank executes its nodes in the order of chakra_order().
 * time_ns[rank][node] is the time for which a node computes. A compute between messages that takes
 * at most `fuse_ns` becomes part of the phase of these messages. Returns false with errors in
 * `diag` if ranks would wait for each other for ever, or if only some ranks have a collective. */
bool chakra_plan_make(const struct chakra_trace *trace, uint64_t *const *time_ns, uint64_t fuse_ns,
	struct arena *arena, struct diag *diag, struct chakra_plan *plan);

#endif
