/* Detects when a cluster is at rest. It is at rest if three conditions are true: every stage has
 * ended or is idle; no operation is in flight; and all turns of atomic units and completions of
 * writes, which are not events, are in the past. */
#include "chip/machine/cluster.h"

bool sim_is_quiescent(const struct cluster *cluster)
{
	return cluster->awake == 0 && cluster->under_way == 0 &&
	       engine_now() >= cluster->settled_ps;
}

void sim_quiescent(struct cluster *cluster)
{
	struct host_waiter *waiter = cluster->drainers;

	cluster->drainers = NULL;
	while (waiter != NULL) {
		struct host_waiter *next = waiter->next;

		host_thread_wake(waiter);
		waiter = next;
	}
}
