/* The scheduler of stages. For each step of a stage, it calls begin(), waits with an event until
 * the cost of the step has passed, and calls commit(). A blocked stage costs nothing until it is
 * woken. */
#ifndef CHIP_TILE_SCHEDULER_H
#define CHIP_TILE_SCHEDULER_H

#include "chip/tile/tile.h"

/* Writes of a stage that are in flight. No event marks their completion: the writes are counted as
 * done when the stage next looks at its counter. They are kept in order of time and complete in
 * that order. */
struct posted_writes {
	int64_t at_ps;
	uint32_t writes;
	cause_id cause;	  /* held */
	enum charge rest; /* charge of the time since `cause` */
};

enum task_state { TASK_RUNNING, TASK_BLOCKED, TASK_ENDED };

/* The scheduler's record of one stage. The fields that every step touches come first, in one cache
 * line. */
struct task {
	struct stage *stage;
	struct tile *tile;
	struct task *next;	     /* on the tile, in order of start */
	int64_t wake_ps;	     /* earliest wake on the heap while blocked; INT64_MAX: none */
	int64_t since_ps;	     /* start of the present state */
	int64_t first_ps;	     /* when the first writes in flight are done, and how many */
	uint32_t first_writes;	     /* 0: none in flight */
	uint32_t generation;	     /* counts blockings: a wake with another number is stale */
	uint32_t expected;	     /* blocked on WORD: value after all known arrivals */
	bool awake;		     /* counted in cluster->awake */
	bool asked_again;	     /* blocked on a true condition; allowed once */
	bool on_fabric;		     /* in the list of next_blocked */
	uint8_t first_rest;	     /* enum charge of the first writes in flight */
	cause_id cause;		     /* of the step, or of its work before it blocked; held */
	cause_id first_cause;	     /* of the first writes in flight */
	uint64_t charge;	     /* the charge of a step that has only one (cause_step) */
	struct cause_note increment; /* the last increment without a cause of its own */
	uint32_t more_first, more_count;
	/* ---- */
	struct posted_writes *more; /* ring of the later writes in flight */
	uint32_t more_capacity;
	uint32_t track;				     /* watch/watch.h; 0: none */
	uint16_t pcie_reads_posted, pcie_reads_done; /* wrap */
	struct task *next_blocked; /* in the chip's list of tasks blocked on the fabric */
	int64_t blocked_ps;
	int64_t handed_ps; /* time from which the stage may hand its next packet to a router */
	int64_t lands_ps;  /* when the last write that waited at the NIU gets its place */
	struct fluid_message *fluid_first, *fluid_last; /* writes in flight, in order */
} __attribute__((aligned(CACHE_LINE)));

/* Prefetches a task; see sim_tile_fetch(). */
static inline void sim_task_fetch(const struct task *task)
{
	__builtin_prefetch(task);
	__builtin_prefetch(&task->cause);
}

/* Attaches a stage; an event at engine_now() calls its begin(). */
void sim_task_start(struct device *device, struct stage *stage);

/* Detaches a stage that is blocked or has ended. */
void sim_task_stop(struct device *device, struct stage *stage);

/* Ends the step for which begin() returned `cycles`. */
void sim_task_commit(struct task *task, uint64_t cycles);

static inline bool sim_task_is_blocked(const struct task *task)
{
	return task->stage->state == TASK_BLOCKED;
}

/* Claims a blocked stage, from `at_ps` on, for a step that bypasses its begin() and commit(). */
void sim_task_claim(struct task *task, int64_t at_ps);

/* Ends a step of `cycles` cycles that began with sim_task_claim(). Blocks the stage again on its
 * `wait`, without calling its begin(). Returns false if that wait is already over, so that the
 * stage could continue. */
bool sim_task_release(struct task *task, uint64_t cycles);

/* The record of a stage, which must have been started. */
static inline struct task *sim_task_of(const struct stage *stage)
{
	struct task *task = sim_own_tile(stage)->tasks;

	while (task != NULL && task->stage != stage)
		task = task->next;
	ensure(task != NULL, "stage %s was not started", stage->ops->name);
	return task;
}

/* Wakes stages after a change of the words in [address, address + length) of the tile. If `arrival`
 * is true, the change came from outside, and the stages are asked for their next step at once. If
 * it is false, a stage of the tile is in commit(), and an event wakes the other stages. */
void sim_tasks_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival);

/* Call when `arrival` waits for its turn at the atomic unit. Schedules the wakes of stages that
 * wait for it. */
void sim_tasks_expect(struct tile *tile, const struct arrival *arrival);

/* Schedules the wakes of stages that wait for announced increments. */
void sim_tasks_foresee(struct tile *tile);

/* True if the fabric accepts a packet of the stage, which waits for that. */
bool sim_task_is_accepted(const struct task *task);

/* Has sim_tasks_fabric() look at the task. */
void sim_task_wait_for_fabric(struct task *task);

/* Call when slots of the chip's routers became free. Wakes the stages that are blocked on the
 * fabric. */
void sim_tasks_fabric(struct device *device);

/* Records that `count` > 0 writes of the stage will be done at `at_ps`, or together with an earlier
 * write if that is done later. The caller counts the writes as posted. `cause` is the reason why
 * they are done (NONE: the stage's own work before it waited); the task takes over its reference.
 * The time since `cause` is charged to `rest`. */
void sim_task_writes_done_at(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* Like sim_task_writes_done_at(), but wakes no stage and does not delay the rest of the cluster
 * (posted_writes.c). */
void sim_task_writes_add(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* Counts as done the writes of the stage whose time has come. */
void sim_task_complete(struct task *task);

/* Returns the time at which writes_done will reach `value`; INT64_MAX if it is not known yet. Sets
 * *cause (borrowed) and *rest to the cause and charge of the write that is done then. */
int64_t sim_task_writes_reach_ps(
	const struct task *task, uint32_t value, cause_id *cause, enum charge *rest);

/* Completes a read of the stage now. */
void sim_task_read_done(struct task *task);

/* Busy and blocked times up to now. */
void sim_task_times(const struct task *task, int64_t *busy_ps, int64_t *blocked_ps);

#endif
