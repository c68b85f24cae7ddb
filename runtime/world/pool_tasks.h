/* The tasks of a pool that have not begun, in queues as the user chose. Does not know what a task
 * is, nor when all of a batch have run. */
#ifndef WORLD_POOL_TASKS_H
#define WORLD_POOL_TASKS_H

#include <stdbool.h>

#include "world/pool.h"

struct pool_tasks; /* opaque */

/* Empty queues for `threads` (> 0) threads, which wait for tasks as `mode` says. `name` is the
 * pool's. */
struct pool_tasks *pool_tasks_new(
	const char *name, uint32_t threads, enum wait_mode mode, enum pool_queues queues);

/* Frees queues that are empty and that no thread waits for. */
void pool_tasks_free(struct pool_tasks *tasks);

/* Puts the batch's task of that index into a queue; blocks while that is full. */
void pool_tasks_push(struct pool_tasks *tasks, uint32_t index, void *task);

/* The next task of a thread; blocks while there is none. NULL: closed, and nothing is left. */
void *pool_tasks_pop(struct pool_tasks *tasks, uint32_t thread);

/* No more tasks will come: threads take what is there, then get NULL. */
void pool_tasks_close(struct pool_tasks *tasks);

#endif
