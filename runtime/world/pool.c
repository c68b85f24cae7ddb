/* A thread pool: n threads run the tasks of batches; the submitting thread never runs a task.
 * Batches are reused, so under a steady load no memory is allocated. pool_tasks.c implements the
 * queues of tasks. */
#include "world/pool.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdio.h>
#include <stdlib.h>

enum { POOL_NAME_BYTES = 48 };

struct pool_task {
	struct pool_batch *batch;
	uint32_t index;
};

struct pool_batch {
	void (*run)(void *arg, uint32_t index);
	void (*done)(void *arg); /* set for a posted batch; NULL: pool_wait() ends the batch */
	void *arg;
	struct monitor *monitor;
	struct pool_task *tasks;
	uint32_t capacity;
	uint32_t remaining; /* number of tasks that have not run */
	struct pool_batch *next;
};

struct pool_thread {
	struct thread *thread;
	struct pool *pool;
	struct pool_tasks *tasks;
	uint32_t index;
};

struct pool {
	struct monitor *monitor; /* protects free_batches, batches_out and posted */
	struct pool_batch *free_batches;
	struct pool_tasks *tasks;
	uint32_t batches_out;
	uint32_t posted; /* number of posted batches that have not ended */
	uint32_t count;
	struct pool_thread threads[];
};

static void pool_end_posted(struct pool *pool, struct pool_batch *batch)
{
	batch->done(batch->arg);
	world->monitor_enter(pool->monitor);
	batch->next = pool->free_batches;
	pool->free_batches = batch;
	pool->batches_out--;
	pool->posted--;
	if (pool->posted == 0)
		world->monitor_notify_all(pool->monitor);
	world->monitor_exit(pool->monitor);
}

static void pool_run(void *arg)
{
	struct pool_thread *self = arg;
	struct pool_task *task;

	while ((task = pool_tasks_pop(self->tasks, self->index)) != NULL) {
		struct pool_batch *batch = task->batch;
		bool posted = batch->done != NULL, last;

		batch->run(batch->arg, task->index);
		world->monitor_enter(batch->monitor);
		batch->remaining--;
		last = batch->remaining == 0;
		if (last && !posted)
			world->monitor_notify_all(batch->monitor);
		world->monitor_exit(batch->monitor);
		/* From here on, only a posted batch may be used. A batch that was not posted may be
		 * used again already by the thread that waited for it. */
		if (last && posted)
			pool_end_posted(self->pool, batch);
	}
}

struct pool *pool_new(const char *name, uint32_t threads, const struct affinity *where,
	enum wait_mode mode, enum pool_queues queues)
{
	struct pool *pool = allocate(1, sizeof *pool + threads * sizeof pool->threads[0]);
	char thread_name[POOL_NAME_BYTES];

	ensure(threads > 0, "pool '%s' without threads", name);
	pool->monitor = world->monitor_new(name);
	pool->tasks = pool_tasks_new(name, threads, mode, queues);
	pool->count = threads;
	for (uint32_t i = 0; i < threads; i++) {
		struct pool_thread *thread = &pool->threads[i];
		int length = snprintf(thread_name, sizeof thread_name, "%s-%u", name, i);

		ensure(length < POOL_NAME_BYTES, "name '%s' of a pool is too long", name);
		thread->pool = pool;
		thread->tasks = pool->tasks;
		thread->index = i;
		thread->thread = world->spawn(thread_name, where[i], pool_run, thread);
	}
	return pool;
}

static void pool_batch_free(struct pool_batch *batch)
{
	world->monitor_free(batch->monitor);
	free(batch->tasks);
	free(batch);
}

void pool_free(struct pool *pool)
{
	if (pool == NULL)
		return;
	pool_tasks_close(pool->tasks);
	for (uint32_t i = 0; i < pool->count; i++)
		world->join(pool->threads[i].thread);
	ensure(pool->batches_out == 0, "pool freed, %u batches not waited for", pool->batches_out);
	while (pool->free_batches != NULL) {
		struct pool_batch *batch = pool->free_batches;

		pool->free_batches = batch->next;
		pool_batch_free(batch);
	}
	pool_tasks_free(pool->tasks);
	world->monitor_free(pool->monitor);
	free(pool);
}

/* Returns a recycled or new batch with room for `count` tasks. */
static struct pool_batch *pool_batch_get(struct pool *pool, uint32_t count)
{
	struct pool_batch *batch;

	world->monitor_enter(pool->monitor);
	batch = pool->free_batches;
	if (batch != NULL)
		pool->free_batches = batch->next;
	pool->batches_out++;
	world->monitor_exit(pool->monitor);
	if (batch == NULL) {
		batch = allocate(1, sizeof *batch);
		batch->monitor = world->monitor_new("end of a batch");
	}
	if (count > batch->capacity) {
		free(batch->tasks);
		batch->tasks = allocate(count, sizeof *batch->tasks);
		batch->capacity = count;
	}
	return batch;
}

struct pool_batch *pool_submit(
	struct pool *pool, uint32_t count, void (*run)(void *arg, uint32_t index), void *arg)
{
	struct pool_batch *batch = pool_batch_get(pool, count);

	batch->run = run;
	batch->done = NULL;
	batch->arg = arg;
	batch->remaining = count;
	for (uint32_t i = 0; i < count; i++) {
		batch->tasks[i] = (struct pool_task){batch, i};
		pool_tasks_push(pool->tasks, i, &batch->tasks[i]);
	}
	return batch;
}

void pool_wait(struct pool *pool, struct pool_batch *batch, enum wait_mode mode)
{
	world->monitor_enter(batch->monitor);
	while (batch->remaining > 0)
		world->monitor_wait_until(batch->monitor, DEADLINE_NEVER, mode);
	world->monitor_exit(batch->monitor);
	world->monitor_enter(pool->monitor);
	batch->next = pool->free_batches;
	pool->free_batches = batch;
	pool->batches_out--;
	world->monitor_exit(pool->monitor);
}

void pool_post(struct pool *pool, uint32_t count, const struct pool_work *work)
{
	struct pool_batch *batch = pool_batch_get(pool, count);

	ensure(count > 0, "a post without tasks");
	world->monitor_enter(pool->monitor);
	pool->posted++;
	world->monitor_exit(pool->monitor);
	batch->run = work->run;
	batch->done = work->done;
	batch->arg = work->arg;
	batch->remaining = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = work->index(work->arg, i);

		batch->tasks[i] = (struct pool_task){batch, index};
		pool_tasks_push(pool->tasks, index, &batch->tasks[i]);
	}
}

void pool_drain(struct pool *pool, enum wait_mode mode)
{
	world->monitor_enter(pool->monitor);
	while (pool->posted > 0)
		world->monitor_wait_until(pool->monitor, DEADLINE_NEVER, mode);
	world->monitor_exit(pool->monitor);
}
