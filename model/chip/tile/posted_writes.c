/* The writes of a stage that are in flight, in order of time. The first entry is in the stage's
 * task; all other entries are in a ring buffer. No event marks the completion of a write: the
 * stage's counter is brought up to date when the stage reads it. */
#include "chip/tile/scheduler.h"

static struct posted_writes *more_at(struct task *task, uint32_t i)
{
	return &task->more[(task->more_first + i) & (task->more_capacity - 1)];
}

static void posted_writes_append(struct task *task, struct posted_writes writes)
{
	if (task->more_count == task->more_capacity)
		task->more = sim_ring_grow(
			task->more, sizeof *task->more, task->more_first, &task->more_capacity, 4);
	*more_at(task, task->more_count++) = writes;
}

/* Counts the first writes as done. The next writes become the first ones. */
static void advance(struct task *task)
{
	task->stage->writes_done += task->first_writes;
	task->first_writes = 0;
	cause_release(task->first_cause);
	task->first_cause = CAUSE_NONE;
	if (task->more_count == 0)
		return;
	task->first_cause = more_at(task, 0)->cause;
	task->first_rest = (uint8_t)more_at(task, 0)->rest;
	task->first_ps = more_at(task, 0)->at_ps;
	task->first_writes = more_at(task, 0)->writes;
	task->more_first = (task->more_first + 1) & (task->more_capacity - 1);
	task->more_count--;
}

void sim_task_complete_first(struct task *task)
{
	do
		advance(task);
	while (task->first_writes > 0 && task->first_ps <= engine_now());
}

void sim_task_writes_add(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest)
{
	struct posted_writes *last;

	sim_task_complete(task);
	last = task->more_count > 0 ? more_at(task, task->more_count - 1) : NULL;
	if (task->first_writes == 0) {
		task->first_ps = at_ps;
		task->first_writes = count;
		task->first_cause = cause;
		task->first_rest = (uint8_t)rest;
	} else if (last != NULL && at_ps <= last->at_ps) {
		last->writes += count;
		cause_release(cause);
	} else if (last == NULL && at_ps <= task->first_ps) {
		task->first_writes += count;
		cause_release(cause);
	} else {
		posted_writes_append(task, (struct posted_writes){at_ps, count, cause, rest});
	}
}

int64_t sim_task_writes_reach_ps(
	const struct task *task, uint32_t value, cause_id *cause, enum charge *rest)
{
	uint32_t done = task->stage->writes_done + task->first_writes;

	*cause = task->first_cause;
	*rest = (enum charge)task->first_rest;
	if (task->first_writes == 0)
		return INT64_MAX;
	if ((int32_t)(done - value) >= 0)
		return task->first_ps;
	for (uint32_t i = 0; i < task->more_count; i++) {
		const struct posted_writes *more =
			&task->more[(task->more_first + i) & (task->more_capacity - 1)];

		done += more->writes;
		*cause = more->cause;
		*rest = more->rest;
		if ((int32_t)(done - value) >= 0)
			return more->at_ps;
	}
	return INT64_MAX;
}
