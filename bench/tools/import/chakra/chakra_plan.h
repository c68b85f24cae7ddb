/* The order in which the nodes of all ranks become steps. Only for files of this folder. */
#ifndef CHAKRA_PLAN_H
#define CHAKRA_PLAN_H

#include "bench/tools/import/chakra.h"
#include "bench/scenario/load.h"
#include "bench/tools/import/import.h"
#include "mesh/mesh.h"

enum chakra_phase_kind {
	PHASE_COMPUTE,	  /* programs, at most one on each rank */
	PHASE_CPU,	  /* the host computes for some ranks */
	PHASE_MESSAGES,	  /* sends, receives and short computes of each rank */
	PHASE_COLLECTIVE, /* one node of each rank of some groups */
	PHASE_FINISH,	  /* the host waits for all ranks */
	PHASE_UNTIL,	  /* the host waits until a time */
};

/* The nodes of one rank in a phase, as indices of struct chakra_rank. */
struct chakra_part {
	const uint32_t *nodes;
	uint32_t count;
};

/* The ranks of a process group, in the order of the group's line. */
struct chakra_group {
	const char *name; /* "" for the group of all ranks */
	uint32_t *ranks, count;
};

/* Command queues, if a rank computes and communicates at the same time. */
enum { CHAKRA_QUEUE_COMPUTE, CHAKRA_QUEUE_COMMUNICATE, CHAKRA_QUEUES };

struct chakra_phase {
	struct chakra_phase *next;
	enum chakra_phase_kind kind;
	struct chakra_part *parts; /* [rank] */
	bool waits;		   /* PHASE_CPU: some node depends on a node that a device
				    * executes */
	/* PHASE_COLLECTIVE: the groups, which have no ranks in common and are equally large. Each
	 * has a collective of its own, with the same kind and size. */
	const struct chakra_group *const *groups;
	uint32_t group_count;
	/* only in a plan that overlaps: */
	const struct chakra_phase *after; /* a phase of the other queue that must end before, or
					   * NULL */
	bool awaited;			  /* a later phase of the other queue waits for this one */
	uint32_t number;		  /* place in the plan, from 1 */
};

struct chakra_plan {
	struct chakra_phase *first;
	uint32_t phases;
	uint32_t skipped; /* number of nodes that were left out because they take no time */
	/* devices communicate through the second command queue, and may compute at the same time */
	bool overlaps;
};

/* Returns the command queue of a phase whose nodes devices execute, CHAKRA_QUEUES for others. */
uint32_t chakra_queue_of(const struct chakra_phase *phase);

/* Finds out whether devices can compute and communicate at the same time: whether some phase need
 * not wait for a phase before it that is of the other queue. Then sets plan->overlaps, and which
 * phases wait for which. order[rank] are the nodes of each rank, after those they depend on. */
void chakra_plan_overlap(const struct chakra_trace *trace, uint32_t *const *order,
	struct arena *arena, struct chakra_plan *plan);

/* ---- chakra_groups.c: the process groups of a trace ---- */

struct chakra_groups {
	struct chakra_group *at;
	uint32_t count;
	uint32_t **of; /* [rank][node] number of the group of a collective */
};

/* Finds the groups of all collectives. A group has the ranks with a collective of its name; the
 * group without a name has all ranks. */
void chakra_groups_find(
	const struct chakra_trace *trace, struct arena *arena, struct chakra_groups *groups);

/* Returns the place of a broadcast's root in its group. Without a root of the group's ranks, root 0
 * is the first of them; otherwise returns group->count. */
uint32_t chakra_root_place(const struct chakra_group *group, uint32_t root);

/* Plans the steps, in `arena`. Each rank executes its nodes in the order of chakra_order().
 * time_ns[rank][node] is the time for which a node computes. A compute node that lies between
 * messages and takes at most request->fuse_ns becomes part of the phase of these messages. The plan
 * may overlap if request->queues allows it. Returns false with errors in `diag` if ranks would wait
 * for each other for ever, or if only some ranks of a group have a collective. */
bool chakra_plan_make(const struct chakra_trace *trace, uint64_t *const *time_ns,
	const struct import_request *request, struct arena *arena, struct diag *diag,
	struct chakra_plan *plan);

/* ---- chakra_export.c: the steps of a scenario as a Chakra trace ---- */

/* Values of `keys` of struct chakra_node that mark nodes which only meshsim understands. */
#define CHAKRA_KEYS_FINISH "finish" /* metadata: the host waits for all ranks */
#define CHAKRA_KEYS_STEP   "step"   /* metadata: messages before and after belong to two steps */
#define CHAKRA_KEYS_UNTIL  "until"  /* metadata: the host waits until a time, tensor_size in ns */
#define CHAKRA_KEYS_BUSY   "busy"   /* compute: busy time in a list of messages */

/* Makes a trace with a rank for each device of the run's mesh, in `arena`. Appends lines about the
 * trace to `notes`, also about what it leaves out. Returns NULL after errors, which are in `diag`.
 */
struct chakra_trace *chakra_export_make(
	const struct run_plan *plan, struct arena *arena, struct diag *diag, struct text *notes);

/* ---- chakra_scenario.c: a planned trace as a scenario ---- */

struct chakra_writing {
	const struct import_request *request;
	const char *machine;
	const char *assumptions; /* lines for the head of the scenario */
	const struct chakra_plan *plan;
	uint64_t *const *time_ns; /* [rank][node] */
	struct mesh_shape shape;  /* of the mesh of chips */
	struct mesh_shape grid;	  /* of the workers of a chip */
	bool ring;		  /* the devices form a ring */
	uint32_t chips;		  /* number of chips of a rank */
	const uint32_t *devices;  /* [rank * chips + chip] */
	const uint32_t *ranks;	  /* [device] its rank */
	/* [0: line, 1: ring][device] its place; NULL: the mesh has no such order */
	const uint32_t *places[2];
};

/* True if a collective with this number can be a step. */
bool chakra_collective_runs(uint32_t comm);

/* Appends the scenario. Appends to `notes` what it leaves out. */
void chakra_scenario_write(const struct chakra_trace *trace, const struct chakra_writing *writing,
	struct text *scenario, struct text *notes);

#endif
