/* The scheduler of stages: begin, an event at the end of the cost, commit, begin again. A
 * blocked stage costs nothing until what it waits for comes. */
#ifndef CHIP_TILE_SCHEDULER_H
#define CHIP_TILE_SCHEDULER_H

#include "chip/tile/tile.h"

/* A write of a stage that is under way: counted as done when its time has come and the stage looks.
 * In order of time; a later write never counts earlier. */
struct posted_writes {
	int64_t at_ps;
	uint32_t writes;
	cause_id cause;	  /* held */
	enum charge rest; /* what the time from there goes into */
};

enum task_state { TASK_RUNNING, TASK_BLOCKED, TASK_ENDED };

/* The scheduler's record of one stage. What every step touches comes first, in one line of cache.
 */
struct task {
	struct stage *stage;
	struct tile *tile;
	struct task *next;     /* on the tile, in order of start */
	int64_t wake_ps;       /* earliest wake on the heap for this blocking; INT64_MAX: none */
	int64_t since_ps;      /* of the state */
	int64_t first_ps;      /* when the first writes under way are done, and how many */
	uint32_t first_writes; /* 0: none under way */
	uint32_t generation;   /* of blockings: older wakes are stale */
	uint32_t expected;     /* blocked on WORD: its value with every arrival known so far */
	bool awake;	       /* counted in cluster->awake */
	bool asked_again;      /* blocked on what was already true: once is allowed */
	bool on_fabric;	       /* in the list of next_blocked */
	uint8_t first_rest;    /* charge: of the first writes under way */
	cause_id cause;	       /* of the step, or of what it did before it blocked; held */
	cause_id first_cause;  /* of the first writes under way */
	uint64_t charge;       /* of a step that has only one (cause_step) */
	struct cause_note increment; /* the last one that has no cause of its own */
	uint32_t more_first, more_count;
	/* ---- */
	struct posted_writes *more; /* ring of what is done behind first_ps */
	uint32_t more_capacity;
	uint32_t track; /* watch/watch.h; 0: none */
	uint16_t pcie_reads_posted, pcie_reads_done; /* wrap */
	struct task *next_blocked; /* of the chip's list of those blocked on the fabric */
	int64_t blocked_ps;
	int64_t handed_ps; /* when it may hand the next packet to a router */
	int64_t lands_ps; /* when the last write that waited at the NIU gets its place */
	struct fluid_message *fluid_first, *fluid_last; /* writes under way, in order */
} __attribute__((aligned(CACHE_LINE)));

/* As sim_tile_fetch(). */
static inline void sim_task_fetch(const struct task *task)
{
	__builtin_prefetch(task);
	__builtin_prefetch(&task->cause);
}

/* Attaches a stage; it is asked at engine_now(), by an event. */
void sim_task_start(struct device *device, struct stage *stage);

/* Detaches one that is blocked or has ended. */
void sim_task_stop(struct device *device, struct stage *stage);

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

/* The cause of an arrival at the tile, from the note of its sender if it has none. The reference is
 * the caller's. */
cause_id sim_arrival_cause(const struct tile *tile, const struct arrival *arrival);

/* The arrival waits for its turn at the atomic unit of the tile. */
void sim_tasks_expect(struct tile *tile, const struct arrival *arrival);

/* Increments are known to come to the tile, later than now. */
void sim_tasks_foresee(struct tile *tile);

/* Slots of the chip's routers have come back. */
void sim_tasks_fabric(struct device *device);

/* `count` > 0 writes that the stage has posted (the caller counts that) will be done at `at_ps`, or
 * with those known before if these are done later. Because of `cause`, which is the task's from now
 * on (NONE: of what the stage did before it waited); the time from there on is for `rest`. */
void sim_task_writes_done_at(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* The same, of which nothing but the count is told: posted_writes.c. */
void sim_task_writes_add(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest);

/* Counts the writes of the stage that are done by now. */
void sim_task_complete(struct task *task);

/* When so many writes will be done, as far as is known; INT64_MAX: not known. */
int64_t sim_task_writes_reach_ps(
	const struct task *task, uint32_t value, cause_id *cause, enum charge *rest);

/* A read of the stage is done now. */
void sim_task_read_done(struct task *task);

/* Times up to now. */
void sim_task_times(const struct task *task, int64_t *busy_ps, int64_t *blocked_ps);

#endif
