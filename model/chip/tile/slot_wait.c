/* Waits of tasks for a slot of the fabric: whether a packet is accepted, and who waits. */
#include "base/chain.h"
#include "chip/machine/network.h"
#include "chip/tile/scheduler.h"

bool sim_task_is_accepted(const struct task *task)
{
	struct cluster *cluster = task->stage->device->cluster;

	return cluster->network->ready(cluster, task->stage->wait.fabric);
}

void sim_task_wait_for_fabric(struct task *task)
{
	struct device *device = task->stage->device;

	if (task->on_fabric)
		return;
	task->on_fabric = true;
	CHAIN_APPEND(device->fabric_first, device->fabric_last, task, next_blocked);
}
