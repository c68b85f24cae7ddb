/* The scheduler of stages: begin, an event `cost` later, commit, begin again. A blocked stage costs
 * nothing until what it waits for comes. */
#ifndef CHIP_TILE_SCHEDULER_H
#define CHIP_TILE_SCHEDULER_H

#include "chip/machine/cluster.h"

/* Attaches a stage; it is asked at engine_now(), by an event. */
void sim_task_start(struct device *device, struct stage *stage);

/* The step whose begin() has answered `cycles` is over. */
void sim_task_commit(struct task *task, uint64_t cycles);

/* The stage is blocked: it may be claimed for a step that its ops know nothing of; since `at_ps`.
 */
bool sim_task_is_blocked(const struct task *task);
void sim_task_claim(struct task *task, int64_t at_ps);

/* That step, of so many cycles, is over: asks the stage. False if it does not block. */
bool sim_task_release(struct task *task, uint64_t cycles);

/* Record of a started stage. */
static inline struct task *sim_task_of(const struct stage *stage)
{
	struct task *task = sim_own_tile(stage)->tasks;

	while (task != NULL && task->stage != stage)
		task = task->next;
	ensure(task != NULL, "stage %s was not started", stage->ops->name);
	return task;
}

/* The words in [address, address + length) of the tile have changed. `arrival`: by something that
 * came from outside, so that stages are asked at once; else one is in commit(), and others are
 * asked by an event. */
void sim_tasks_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival);

/* The arrival waits for its turn at the atomic unit of the tile. */
void sim_tasks_expect(struct tile *tile, const struct arrival *arrival);

/* Increments are known to come to the tile, later than now. */
void sim_tasks_foresee(struct tile *tile);

/* Slots of the chip's routers have come back. */
void sim_tasks_fabric(struct device *device);

/* `count` > 0 writes that the stage has posted (the caller counts that) will be done at `at_ps`, or
 * with those known before if these are done later. */
void sim_task_writes_done_at(struct task *task, uint32_t count, int64_t at_ps);

/* The same, of which nothing but the count is told: posted_writes.c. */
void sim_task_writes_add(struct task *task, uint32_t count, int64_t at_ps);

/* Counts the writes of the stage that are done by now. */
void sim_task_complete(struct task *task);

/* When so many writes will be done, as far as is known; INT64_MAX: not known. */
int64_t sim_task_writes_reach_ps(const struct task *task, uint32_t value);

/* Wakes the blocked stage when what is known to come lets it go on: turns of the atomic unit,
 * writes that will be done. */
void sim_task_foresee(struct task *task);

/* A read of the stage is done now. */
void sim_task_read_done(struct task *task);

/* Times up to now. */
void sim_task_times(const struct task *task, int64_t *busy_ps, int64_t *blocked_ps);

#endif
