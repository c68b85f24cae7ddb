/* drain(): blocks a host thread until the cluster is at rest. Then it checks that every byte that
 * was sent has arrived, and that every slot of the fabric is free. If not, the model has a bug. */
#include "chip/device/entries.h"

#include "chip/fabric/fabric.h"
#include "chip/tile/scheduler.h"

static void settled_event(void *subject, uint64_t argument)
{
	struct cluster *cluster = subject;

	(void)argument;
	if (cluster->drainers != NULL && cluster->awake == 0 && cluster->under_way == 0)
		sim_quiescent(cluster);
}

static void forget_drainer(struct cluster *cluster, const struct host_waiter *waiter)
{
	struct host_waiter **place = &cluster->drainers;

	while (*place != NULL && *place != waiter)
		place = &(*place)->next;
	if (*place != NULL)
		*place = waiter->next;
}

static void check_conservation(const struct cluster *cluster)
{
	const struct sim_conservation *bytes = &cluster->conservation;

	ensure(bytes->noc_sent_bytes == bytes->noc_delivered_bytes,
		"NoC: %llu bytes sent, %llu delivered", (unsigned long long)bytes->noc_sent_bytes,
		(unsigned long long)bytes->noc_delivered_bytes);
	ensure(bytes->fabric_sent_bytes == bytes->fabric_delivered_bytes,
		"fabric: %llu bytes sent, %llu delivered",
		(unsigned long long)bytes->fabric_sent_bytes,
		(unsigned long long)bytes->fabric_delivered_bytes);
	ensure(bytes->pcie_sent_bytes == bytes->pcie_delivered_bytes,
		"PCIe: %llu bytes sent, %llu delivered", (unsigned long long)bytes->pcie_sent_bytes,
		(unsigned long long)bytes->pcie_delivered_bytes);
	for (uint32_t i = 0; i < cluster->fabric->link_count; i++) {
		const struct link *link = &cluster->fabric->links[i];

		for (uint32_t c = 0; c < link->buffer.channels; c++)
			ensure(link->buffer.free[c] == link->buffer.slots,
				"link from chip %u to %u: %u of %u slots came back", link->from,
				link->to, link->buffer.free[c], link->buffer.slots);
	}
}

enum status sim_drain(struct cluster *cluster, int64_t deadline_ns)
{
	struct host_waiter waiter = {0};
	enum status status = STATUS_OK;

	host_thread_settle();
	while (!sim_is_quiescent(cluster)) {
		if (status != STATUS_OK)
			return status;
		if (cluster->awake == 0 && cluster->under_way == 0)
			engine_push(cluster->settled_ps, settled_event, cluster, 0);
		waiter.next = cluster->drainers;
		cluster->drainers = &waiter;
		status = host_thread_wait(&waiter, deadline_ns, WAIT_PARK, "the cluster to drain");
		forget_drainer(cluster, &waiter);
	}
	for (uint32_t i = 0; i < cluster->stage_count; i++)
		sim_task_complete(cluster->stages[i]);
	check_conservation(cluster);
	return STATUS_OK;
}
