/* A thread pool. It calls only world.h, so it runs in the simulated and in the native world. Either
 * all threads share one queue of tasks, or each thread has its own queue. With separate queues,
 * threads may be allowed to steal tasks from each other (spec 3.9.2). The creator of a pool chooses
 * the number of threads, which does not change. */
#ifndef WORLD_POOL_H
#define WORLD_POOL_H

#include <stdbool.h>

#include "world/world.h"

struct pool;	   /* opaque */
struct pool_batch; /* opaque: a set of tasks for which a thread waits together */

enum pool_queues {
	POOL_SHARED, /* one queue; a free thread takes the next task */
	/* each thread has its own queue; task i goes to the queue of thread i modulo the number of
	 * threads. So there is no lock that all threads use */
	POOL_OWN,
	POOL_STEALING, /* like POOL_OWN, but a thread without tasks takes the oldest task of another
			* thread */
};

/* Returns a new pool with `threads` (> 0) threads, named "<name>-<i>". Thread i has the affinity
 * `where[i]`. `mode` determines how idle threads wait for tasks. */
struct pool *pool_new(const char *name, uint32_t threads, const struct affinity *where,
	enum wait_mode mode, enum pool_queues queues);

/* Ends the threads after all submitted tasks have run. NULL is allowed. */
void pool_free(struct pool *pool);

/* Submits run(arg, index) for each index from 0 to count - 1 as one batch, and returns the batch.
 * Does not wait for the tasks, but may block while a queue is full. Each task costs a push and a
 * pop; if the thread that runs it was parked, it also costs a wake-up. */
struct pool_batch *pool_submit(
	struct pool *pool, uint32_t count, void (*run)(void *arg, uint32_t index), void *arg);

/* Blocks until all tasks of the batch have run, then frees it. */
void pool_wait(struct pool *pool, struct pool_batch *batch, enum wait_mode mode);

/* Tasks for which no thread waits (pool_post()). Task i calls run(arg, index(arg, i)). This index
 * also determines the queue of the task (POOL_OWN). */
struct pool_work {
	uint32_t (*index)(void *arg, uint32_t i);
	void (*run)(void *arg, uint32_t index);
	void (*done)(void *arg); /* called once, by the thread that ran the last task */
	void *arg;
};

/* Submits `count` (> 0) tasks. Does not wait for them, but may block while a queue is full. With
 * POOL_OWN, tasks with the same index run in the order in which they were posted. */
void pool_post(struct pool *pool, uint32_t count, const struct pool_work *work);

/* Blocks until everything that was posted has run. */
void pool_drain(struct pool *pool, enum wait_mode mode);

/* The queues in which tasks wait until a thread of the pool takes them. There is one queue for all
 * threads, or one queue for each thread. pool.c runs the tasks and counts batches. */

struct pool_tasks; /* opaque */

/* Returns empty queues for `threads` (> 0) threads. `mode` determines how threads wait for tasks.
 * `name` is the name of the pool. */
struct pool_tasks *pool_tasks_new(
	const char *name, uint32_t threads, enum wait_mode mode, enum pool_queues queues);

/* Frees the queues, which must be empty. No thread may be waiting. */
void pool_tasks_free(struct pool_tasks *tasks);

/* Appends the task `task` with index `index` to a queue. Blocks while the queue is full. */
void pool_tasks_push(struct pool_tasks *tasks, uint32_t index, void *task);

/* Returns the next task for a thread. Blocks while there is none. Returns NULL if the queues are
 * closed and empty. */
void *pool_tasks_pop(struct pool_tasks *tasks, uint32_t thread);

/* Closes the queues: threads take the remaining tasks, then get NULL. */
void pool_tasks_close(struct pool_tasks *tasks);

#endif
