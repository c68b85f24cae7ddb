/* Reports the times of a task, and wakes tasks when the fabric has a slot for their packets. */
#include "chip/tile/scheduler.h"
#include "words.h"

void sim_task_times(const struct task *task, int64_t *busy_ps, int64_t *blocked_ps)
{
	const struct stage *stage = task->stage;
	int64_t passed_ps = engine_now() - task->since_ps;

	*busy_ps = sim_cycles_ps(&stage->device->cluster->timing, (int64_t)stage->busy_cycles);
	*blocked_ps = task->blocked_ps;
	if (stage->state == TASK_RUNNING)
		*busy_ps += passed_ps;
	else if (stage->state == TASK_BLOCKED && !stage->wait.idle)
		*blocked_ps += passed_ps;
}

void sim_tasks_fabric(struct device *device)
{
	struct task *task = device->fabric_first;

	device->fabric_first = device->fabric_last = NULL;
	while (task != NULL) {
		struct task *next = task->next_blocked;
		const struct stage *stage = task->stage;

		task->on_fabric = false;
		if (stage->state == TASK_BLOCKED && stage->wait.on == STAGE_WAIT_FABRIC) {
			if (sim_task_is_accepted(task))
				sim_task_wake(task, engine_now());
			else
				sim_task_wait_for_fabric(task);
		}
		task = next;
	}
}
