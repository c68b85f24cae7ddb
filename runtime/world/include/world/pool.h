/* Thread pool, written once above the world: n threads that share one queue of tasks, or have one
 * queue each, from which others may steal (spec 3.9.2). The number of threads is fixed, because it
 * is the user's design choice. */
#ifndef WORLD_POOL_H
#define WORLD_POOL_H

#include "world/world.h"

struct pool;	   /* opaque */
struct pool_batch; /* opaque: a set of tasks that is waited for together */

enum pool_queues {
	POOL_SHARED,   /* one queue; a free thread takes the next task */
	POOL_OWN,      /* task i goes to thread i modulo the number of threads: no lock that all
			* contend for */
	POOL_STEALING, /* the same, and a thread without tasks takes the oldest one of another
			* thread */
};

/* Starts `threads` (> 0) threads named "<name>-<i>", each with the affinity `where[i]`. `mode`: how
 * idle threads wait. */
struct pool *pool_new(const char *name, uint32_t threads, const struct affinity *where,
	enum wait_mode mode, enum pool_queues queues);

/* Ends the threads after all submitted tasks have run. NULL is allowed. */
void pool_free(struct pool *pool);

/* Submits run(arg, index) for index 0..count-1 as one batch. Does not wait for the tasks, but may
 * block while the queue is full. Each task costs a push, a pop and, if a thread was parked, a
 * wake-up. */
struct pool_batch *pool_submit(
	struct pool *pool, uint32_t count, void (*run)(void *arg, uint32_t index), void *arg);

/* Blocks until all tasks of the batch have run, then frees it. */
void pool_wait(struct pool *pool, struct pool_batch *batch, enum wait_mode mode);

#endif
