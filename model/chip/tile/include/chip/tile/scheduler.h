/* The scheduler of stages. For each step of a stage, it calls the stage's begin(), waits (by one
 * event) until the time of the step has passed, and calls the stage's commit(). A blocked stage
 * needs no time of the simulator until it is woken. */
#ifndef CHIP_TILE_SCHEDULER_H
#define CHIP_TILE_SCHEDULER_H

#include "chip/tile/tile.h"
#include "engine/engine.h"

/* Writes of a stage that are in flight, in the order in which they complete. The completion of a
 * write has no event: the next time that the stage reads its counter, the write is counted as done.
 */
struct posted_writes {
	int64_t at_ps;
	uint32_t writes;
	cause_id cause;	  /* cause of the writes; owns a reference */
	enum charge rest; /* charge of the time since `cause` */
};

enum task_state { TASK_RUNNING, TASK_BLOCKED, TASK_ENDED };

/* The scheduler's record of one stage. The first fields are those that every step uses, so that
 * they are in one cache line. */
struct task {
	struct stage *stage;
	struct tile *tile;
	struct task *next;	     /* next task on the tile, in order of start */
	int64_t wake_ps;	     /* while blocked: earliest wake on the heap; INT64_MAX: none */
	int64_t since_ps;	     /* time at which the present state began */
	int64_t first_ps;	     /* time at which the earliest writes in flight are done */
	uint32_t first_writes;	     /* number of writes that are done at first_ps */
	uint32_t generation;	     /* number of times that the task was blocked; a wake that was
				      * scheduled for an earlier block is ignored */
	uint32_t expected;	     /* while blocked on a word: its value after known arrivals */
	bool awake;		     /* the task is counted in cluster->awake */
	bool asked_again;	     /* it blocked on a true condition, which is allowed once */
	bool on_fabric;		     /* the task is in the list that next_blocked links */
	uint8_t first_rest;	     /* charge (enum charge) of the earliest writes in flight */
	cause_id cause;		     /* cause of the step, or of the work before the block */
	cause_id first_cause;	     /* cause of the earliest writes in flight */
	uint64_t charge;	     /* the charge of a step with a single charge (cause_step()) */
	struct cause_note increment; /* note of the last increment that has no cause */
	uint32_t more_first, more_count;
	/* ---- */
	struct posted_writes *more; /* ring of the later writes in flight */
	uint32_t more_capacity;
	uint32_t track;				     /* watch/watch.h; 0: none */
	uint16_t pcie_reads_posted, pcie_reads_done; /* numbers modulo 65,536 */
	struct task *next_blocked; /* next of the chip's tasks that are blocked on the fabric */
	int64_t blocked_ps;
	int64_t handed_ps; /* time from which the stage may hand its next packet to a router */
	int64_t lands_ps;  /* arrival of the last write that reserves then; see send_bulk() */
	struct fluid_message *fluid_first, *fluid_last; /* writes in flight, the oldest first */
} __attribute__((aligned(CACHE_LINE)));

/* Prefetches a task; see sim_tile_fetch(). */
static inline void sim_task_fetch(const struct task *task)
{
	__builtin_prefetch(task);
	__builtin_prefetch(&task->cause);
}

/* Adds a stage. An event at engine_now() calls begin() of the stage. */
void sim_task_start(struct device *device, struct stage *stage);

/* Removes a stage, which must be blocked or have ended. */
void sim_task_stop(struct device *device, struct stage *stage);

/* Ends the step for which begin() returned `cycles`. */
void sim_task_commit(struct task *task, uint64_t cycles);

static inline bool sim_task_is_blocked(const struct task *task)
{
	return task->stage->state == TASK_BLOCKED;
}

/* Claims a blocked stage, from `at_ps` on, for a step that bypasses its begin() and commit(). */
void sim_task_claim(struct task *task, int64_t at_ps);

/* Ends a step that sim_task_claim() started and that took `cycles` cycles. If the condition
 * stage->wait is not true yet, blocks the stage on it without calling its begin(), and returns
 * true. Otherwise returns false. */
bool sim_task_release(struct task *task, uint64_t cycles);

/* Returns the record of a stage, which must have been started. */
static inline struct task *sim_task_of(const struct stage *stage)
{
	struct task *task = sim_own_tile(stage)->tasks;

	while (task != NULL && task->stage != stage)
		task = task->next;
	ensure(task != NULL, "stage %s was not started", stage->ops->name);
	return task;
}

/* Wakes stages after a change of the words in [address, address + length) of the tile. If `arrival`
 * is true, the change comes from outside the tile, and the woken stages begin their next step at
 * once. If `arrival` is false, a stage of the tile has made the change in its commit(), and the
 * other stages are woken by an event. */
void sim_tasks_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival);

/* Called when `arrival` has been queued for the atomic unit. If its turn will end the wait of a
 * stage, schedules the wake of this stage. */
void sim_tasks_expect(struct tile *tile, const struct arrival *arrival);

/* Called before an increment is announced. If two conditions hold, counts the increment as known
 * and returns true. First, every stage that waits for the increment's word needs more than the
 * known increments and this one, so the increment wakes no stage. Second, at least one of these
 * stages has no idle wait. */
bool sim_tasks_await_more(struct tile *tile, const struct arrival *arrival);

/* Returns true if an increment of the word by `delta`, after all known increments, ends the wait of
 * a stage. */
bool sim_tasks_end_wait(struct tile *tile, uint32_t address, uint32_t delta);

/* Schedules the wakes of stages that wait for announced increments. */
void sim_tasks_foresee(struct tile *tile);

/* For a stage that waits for the fabric: returns true if the fabric accepts the packet now. */
bool sim_task_is_accepted(const struct task *task);

/* Adds the task to the tasks that sim_tasks_fabric() wakes if the fabric accepts their packet. */
void sim_task_wait_for_fabric(struct task *task);

/* Called when slots of the chip's routers have become free. Wakes the stages that wait until the
 * fabric can take a packet. */
void sim_tasks_fabric(struct device *device);

/* Records that `count` > 0 writes of the stage will be done at `at_ps`; the caller counts them as
 * posted. Writes are done in order: if an earlier write will be done later than `at_ps`, these
 * writes are done at that later time. `cause` is the cause of their end (cause.h); NONE stands for
 * the stage's own work before it blocked. The time since `cause` is charged to `rest`. The caller
 * gives up its reference to `cause`. */
void sim_task_writes_done_at(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* Like sim_task_writes_done_at(), but the stage is not woken when the writes are done. The
 * simulation also counts as idle while only such writes are outstanding (posted_writes.c). */
void sim_task_writes_add(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* Counts the earliest writes in flight, and all others whose time has come, as done. */
void sim_task_complete_first(struct task *task);

/* Counts all writes of the stage whose time has come as done. */
static inline void sim_task_complete(struct task *task)
{
	if (task->first_writes > 0 && task->first_ps <= engine_now())
		sim_task_complete_first(task);
}

/* Returns the time at which the number of completed writes (writes_done) will reach `value`, or
 * INT64_MAX if this time is not known yet. Sets *cause and *rest to the cause and the charge of the
 * write with which it reaches `value`. The caller does not own the reference in *cause. */
int64_t sim_task_writes_reach_ps(
	const struct task *task, uint32_t value, cause_id *cause, enum charge *rest);

/* Completes a read of the stage now. */
void sim_task_read_done(struct task *task);

/* Times for which the stage was busy and blocked so far. */
void sim_task_times(const struct task *task, int64_t *busy_ps, int64_t *blocked_ps);

#endif
