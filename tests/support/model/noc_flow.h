/* Flows over the NoC of the first chip of a simulated cluster, for tests. A flow is FLOW_WRITES
 * writes from one worker to another; then a word tells the receiver that the flow is complete. */
#ifndef SUPPORT_NOC_FLOW_H
#define SUPPORT_NOC_FLOW_H

#include "script.h"
#include "sim_chip.h"

enum { FLOW_WRITES = 100, FLOW_BYTES = 2016, FLOW_AT = 0x8000 };

struct flow {
	uint32_t from, to; /* numbers of workers */
	uint8_t noc;
	uint32_t bytes; /* size of a write; 0: FLOW_BYTES */
	/* used while the flow runs: */
	struct script sender, receiver;
	uint16_t tile;
	int64_t began_ps, took_ps; /* times until the word after the writes arrives */
};

void flow_start(struct cluster *cluster, struct flow *flow);

/* Starts all flows and waits until nothing is in flight. */
void flows_run(struct cluster *cluster, struct flow *flows, uint32_t count);

/* Returns the latency of the flow's path. */
int64_t flow_path_ps(struct cluster *cluster, const struct flow *flow);

#endif
