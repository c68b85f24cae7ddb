/* The waiting tasks of a pool, in queues as the user chose. pool.c runs the tasks and counts
 * batches. */
#ifndef WORLD_POOL_TASKS_H
#define WORLD_POOL_TASKS_H

#include <stdbool.h>

#include "world/pool.h"

struct pool_tasks; /* opaque */

/* Makes empty queues for `threads` (> 0) threads, which wait for tasks as `mode` says. `name` is
 * the pool's name. */
struct pool_tasks *pool_tasks_new(
	const char *name, uint32_t threads, enum wait_mode mode, enum pool_queues queues);

/* Frees the queues, which are empty and have no waiting threads. */
void pool_tasks_free(struct pool_tasks *tasks);

/* Appends the batch's task of that index to a queue; blocks while the queue is full. */
void pool_tasks_push(struct pool_tasks *tasks, uint32_t index, void *task);

/* The next task for a thread; blocks while there is none. NULL: closed and empty. */
void *pool_tasks_pop(struct pool_tasks *tasks, uint32_t thread);

/* Closes the queues: threads take the remaining tasks, then get NULL. */
void pool_tasks_close(struct pool_tasks *tasks);

#endif
