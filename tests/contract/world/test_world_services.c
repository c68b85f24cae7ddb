/* The pool, which is built on world.h, behaves the same in every world. label: full */
#include <string.h>

#include "check.h"
#include "row.h"
#include "world/pool.h"
#include "world/queue.h"

enum { MS = 1000000 };

static void pause_ms(int64_t ms)
{
	world->sleep_until(world->now_ns() + ms * MS);
}

/* ---- pool ---- */

static const struct affinity anywhere[] = {{0, -1}, {0, -1}, {0, -1}, {0, -1}};

enum { TASKS = 3000 };

static void count_task(void *arg, uint32_t index)
{
	__atomic_add_fetch((uint32_t *)arg + index, 1, __ATOMIC_RELAXED);
}

/* Runs more tasks than the pool's queue holds, in overlapping batches. */
static void pool_runs_each_task_once(enum pool_queues queues)
{
	static uint32_t runs[TASKS], other_runs[10];
	struct pool *pool = pool_new("pool", 3, anywhere, WAIT_PARK, queues);

	memset(runs, 0, sizeof(runs));
	memset(other_runs, 0, sizeof(other_runs));
	for (uint32_t round = 1; round <= 3; round++) {
		struct pool_batch *batch = pool_submit(pool, TASKS, count_task, runs);
		struct pool_batch *other = pool_submit(pool, 10, count_task, other_runs);
		struct pool_batch *none = pool_submit(pool, 0, count_task, NULL);

		pool_wait(pool, none, WAIT_PARK);
		pool_wait(pool, other, WAIT_SPIN_THEN_PARK);
		pool_wait(pool, batch, WAIT_PARK);
		for (uint32_t i = 0; i < TASKS; i++)
			check(runs[i] == round, "task %u ran %u times in %u", i, runs[i], round);
		for (uint32_t i = 0; i < 10; i++)
			check_equal(other_runs[i], round);
	}
	pool_free(pool);
	pool_free(NULL);
}

static void end_late(void *arg, uint32_t index)
{
	world->sleep_until(world->now_ns() + (1 + 5 * index) * MS);
	count_task(arg, index);
}

static void pool_wait_waits_for_the_last_task(enum pool_queues queues)
{
	struct pool *pool = pool_new("pool", 4, anywhere, WAIT_PARK, queues);
	uint32_t runs[4] = {0};

	for (uint32_t round = 1; round <= 3; round++) {
		struct pool_batch *batch = pool_submit(pool, 4, end_late, runs);

		pause_ms(13); /* when only the last one is left */
		pool_wait(pool, batch, (enum wait_mode)(round % 3));
		for (uint32_t i = 0; i < 4; i++)
			check_equal(runs[i], round);
	}
	pool_free(pool);
}

struct meeting {
	struct semaphore *arrived[2];
};

/* Each of two tasks waits for the other, so this ends only if they run at the same time. */
static void meet(void *arg, uint32_t index)
{
	struct meeting *meeting = arg;

	semaphore_release(meeting->arrived[index], 1);
	check_status(semaphore_acquire(meeting->arrived[1 - index],
			     world->now_ns() + 20000 * (int64_t)MS, WAIT_PARK),
		STATUS_OK);
}

static void pool_runs_tasks_at_the_same_time(enum pool_queues queues)
{
	struct pool *pool = pool_new("pool", 2, anywhere, WAIT_PARK, queues);
	struct meeting meeting = {{semaphore_new("first", 0), semaphore_new("second", 0)}};

	for (int i = 0; i < 20; i++)
		pool_wait(pool, pool_submit(pool, 2, meet, &meeting), WAIT_PARK);
	pool_free(pool);
	semaphore_free(meeting.arrived[0]);
	semaphore_free(meeting.arrived[1]);
}

enum { HELD_TASKS = 6 };

/* Task 0 ends only after all other tasks have ended. Every second task is queued behind task 0 for
 * the same thread, so other threads must take these tasks from its queue. */
static void end_last(void *arg, uint32_t index)
{
	struct semaphore *ended = arg;

	if (index > 0) {
		semaphore_release(ended, 1);
		return;
	}
	for (uint32_t i = 1; i < HELD_TASKS; i++)
		check_status(
			semaphore_acquire(ended, world->now_ns() + 20000 * (int64_t)MS, WAIT_PARK),
			STATUS_OK);
}

static void pool_thread_without_tasks_steals_those_behind_a_long_one(struct cluster *cluster)
{
	struct pool *pool = pool_new("pool", 2, anywhere, WAIT_PARK, POOL_STEALING);
	struct semaphore *ended = semaphore_new("tasks that are over", 0);

	(void)cluster;
	for (int i = 0; i < 20; i++) {
		struct pool_batch *batch = pool_submit(pool, HELD_TASKS, end_last, ended);

		pool_wait(pool, batch, WAIT_PARK);
	}
	pool_free(pool);
	semaphore_free(ended);
}

#define WITH_ALL_KINDS_OF_QUEUES(name)                                                             \
	static void name##_shared(struct cluster *cluster)                                         \
	{                                                                                          \
		(void)cluster;                                                                     \
		name(POOL_SHARED);                                                                 \
	}                                                                                          \
	static void name##_own(struct cluster *cluster)                                            \
	{                                                                                          \
		(void)cluster;                                                                     \
		name(POOL_OWN);                                                                    \
	}                                                                                          \
	static void name##_stealing(struct cluster *cluster)                                       \
	{                                                                                          \
		(void)cluster;                                                                     \
		name(POOL_STEALING);                                                               \
	}
WITH_ALL_KINDS_OF_QUEUES(pool_runs_each_task_once)
WITH_ALL_KINDS_OF_QUEUES(pool_wait_waits_for_the_last_task)
WITH_ALL_KINDS_OF_QUEUES(pool_runs_tasks_at_the_same_time)

static const struct row_case cases[] = {
	ROW_WORLD_CASE(pool_runs_each_task_once_shared),
	ROW_WORLD_CASE(pool_runs_each_task_once_own),
	ROW_WORLD_CASE(pool_runs_each_task_once_stealing),
	ROW_WORLD_CASE(pool_wait_waits_for_the_last_task_shared),
	ROW_WORLD_CASE(pool_wait_waits_for_the_last_task_own),
	ROW_WORLD_CASE(pool_wait_waits_for_the_last_task_stealing),
	ROW_WORLD_CASE(pool_runs_tasks_at_the_same_time_shared),
	ROW_WORLD_CASE(pool_runs_tasks_at_the_same_time_own),
	ROW_WORLD_CASE(pool_runs_tasks_at_the_same_time_stealing),
	ROW_WORLD_CASE(pool_thread_without_tasks_steals_those_behind_a_long_one),
};

int main(void)
{
	return ROW_RUN_SUITE("world services", cases);
}
