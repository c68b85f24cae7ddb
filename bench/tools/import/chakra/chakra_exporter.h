/* The state in which a scenario is written as a Chakra trace, and how nodes are added. Only for
 * files of this folder. */
#ifndef CHAKRA_EXPORTER_H
#define CHAKRA_EXPORTER_H

#include "chakra_plan.h"

enum { NONE = UINT32_MAX, EXPORT_NODES_MAX = 1000000 };

/* Who executes a node: the device, for one of its command queues, or the host. LANE_ALL: the host,
 * after all nodes of the device. */
enum lane { LANE_FIRST, LANE_SECOND, LANES, LANE_HOST = LANES, LANE_ALL };

/* The last node of each rank on a lane when an event was recorded. */
struct recorded {
	struct recorded *next;
	const char *event;
	uint32_t *nodes; /* [rank] */
};

struct exporter {
	const struct run_plan *plan;
	struct arena *arena;
	struct diag *diag;
	struct mesh_shape shape;
	struct chakra_trace *trace;
	uint32_t *room;		      /* [rank] number of nodes for which memory is allocated */
	uint32_t *rank_of;	      /* [device] */
	uint32_t *last[LANES], *host; /* [rank] last node of the device on each lane, and last
				       * node of the host; NONE: none yet */
	uint32_t *awaited[LANES];     /* [rank] the node of the other lane for which the lane
				       * waits; NONE: none */
	struct recorded *events;
	bool divided;		       /* devices are divided, so the command queues are lanes */
	const struct tree_node **keys; /* [step] its keys as written */
	uint64_t nodes;
	uint32_t grouped;		   /* number of collectives of groups */
	uint32_t left_out, traces, queues; /* numbers of steps, for notes to the user: steps that
					    * were left out, traces, and steps on other queues than
					    * the first */
	uint32_t depth; /* of repeats, in which `until` counts from each iteration */
	bool ring;
};

/* Appends a node to a rank. Nodes of the host do not wait for the device, except on LANE_ALL.
 * Returns NULL if there are too many nodes. */
struct chakra_node *exporter_add(
	struct exporter *exporter, uint32_t rank, struct chakra_node node, enum lane lane);

/* Appends the same node to all ranks. */
void exporter_add_to_all(struct exporter *exporter, struct chakra_node node, enum lane lane);

/* Returns the lane of a command queue. */
enum lane exporter_lane(const struct exporter *exporter, uint32_t queue);

/* exporter_record() keeps the last nodes of the queue that records an event. exporter_wait() lets
 * the next nodes of the queue that waits for it depend on them. */
void exporter_record(struct exporter *exporter, const struct record_step *step);
void exporter_wait(struct exporter *exporter, const struct wait_step *step);

#endif
