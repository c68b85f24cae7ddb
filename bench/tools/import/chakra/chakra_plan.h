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
 * time_ns[rank][node] is the time for which a node computes. A compute node that lies between
 * messages and takes at most `fuse_ns` becomes part of the phase of these messages. Returns false
 * with errors in `diag` if ranks would wait for each other for ever, or if only some ranks have a
 * collective. */
bool chakra_plan_make(const struct chakra_trace *trace, uint64_t *const *time_ns, uint64_t fuse_ns,
	struct arena *arena, struct diag *diag, struct chakra_plan *plan);

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
	struct mesh_shape shape;  /* of the mesh */
	bool ring;		  /* the devices form a ring, in the order of `devices` */
	const uint32_t *devices;  /* [rank] */
};

/* True if a collective with this number can be a step. */
bool chakra_collective_runs(uint32_t comm);

/* Appends the scenario. Appends to `notes` what it leaves out. */
void chakra_scenario_write(const struct chakra_trace *trace, const struct chakra_writing *writing,
	struct text *scenario, struct text *notes);

#endif
