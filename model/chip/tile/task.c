/* Reports how long a task was busy and blocked. Wakes tasks when the fabric has a slot for their
 * packets. Finds out whether an increment of a word ends the wait of a task. */
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

/* True if the stage is blocked until the increment's word has reached a certain value. */
static bool awaits(const struct task *task, const struct arrival *arrival)
{
	const struct stage_wait *wait = &task->stage->wait;

	return task->stage->state == TASK_BLOCKED && wait->address == arrival->address &&
	       counts(wait);
}

bool sim_tasks_end_wait(struct tile *tile, uint32_t address, uint32_t delta)
{
	const struct arrival arrival = {.address = address, .value = delta};

	for (const struct task *task = tile->tasks; task != NULL; task = task->next)
		if (awaits(task, &arrival) &&
			reached(task->expected + delta, task->stage->wait.value))
			return true;
	return false;
}

bool sim_tasks_await_more(struct tile *tile, const struct arrival *arrival)
{
	bool more = false;

	for (struct task *task = tile->tasks; task != NULL; task = task->next) {
		const struct stage_wait *wait = &task->stage->wait;

		if (task->stage->state == TASK_BLOCKED &&
			any_change(wait, arrival->address, sizeof(uint32_t)))
			return false;
		if (!awaits(task, arrival))
			continue;
		if (task->wake_ps != INT64_MAX ||
			reached(task->expected + arrival->value, wait->value))
			return false;
		more |= !wait->idle;
	}
	for (struct task *task = tile->tasks; more && task != NULL; task = task->next)
		if (awaits(task, arrival))
			task->expected += arrival->value;
	return more;
}
