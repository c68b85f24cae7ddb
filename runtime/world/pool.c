/* Thread pool: n threads that pop tasks from one bounded queue, or from one each. Batches are
 * recycled, so that a steady load allocates nothing. Refuses to grow, and to run a task on the
 * submitting thread. */
#include "world/pool.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/queue.h"

#include <stdio.h>
#include <stdlib.h>

enum { POOL_QUEUE_CAPACITY = 1024, POOL_NAME_BYTES = 48 };

struct pool_task {
	struct pool_batch *batch;
	uint32_t index;
};

struct pool_batch {
	void (*run)(void *arg, uint32_t index);
	void *arg;
	struct monitor *monitor;
	struct pool_task *tasks;
	uint32_t capacity;
	uint32_t remaining; /* tasks that have not run */
	struct pool_batch *next;
};

struct pool_thread {
	struct thread *thread;
	struct queue *queue; /* from which it takes tasks */
	enum wait_mode mode;
};

struct pool {
	struct monitor *monitor; /* of the free batches */
	struct pool_batch *free_batches;
	enum wait_mode mode;
	uint32_t batches_out;
	uint32_t count, queue_count;
	struct pool_thread threads[]; /* the first `queue_count` have queues of their own */
};

static void pool_run(void *arg)
{
	struct pool_thread *self = arg;
	void *item;

	while (queue_pop(self->queue, &item, DEADLINE_NEVER, self->mode) == STATUS_OK) {
		struct pool_task *task = item;
		struct pool_batch *batch = task->batch;

		batch->run(batch->arg, task->index);
		world->monitor_enter(batch->monitor);
		batch->remaining--;
		if (batch->remaining == 0)
			world->monitor_notify_all(batch->monitor);
		world->monitor_exit(batch->monitor);
	}
}

struct pool *pool_new(const char *name, uint32_t threads, uint16_t host, enum wait_mode mode,
	enum pool_queues queues)
{
	struct pool *pool = allocate(1, sizeof *pool + threads * sizeof pool->threads[0]);
	struct affinity affinity = {.host = host, .core = -1};
	char thread_name[POOL_NAME_BYTES], queue_name[POOL_NAME_BYTES + 16];

	ensure(threads > 0, "pool '%s' without threads", name);
	pool->monitor = world->monitor_new(name);
	pool->mode = mode;
	pool->count = threads;
	pool->queue_count = queues == POOL_OWN ? threads : 1;
	for (uint32_t i = 0; i < threads; i++) {
		int length = snprintf(thread_name, sizeof thread_name, "%s-%u", name, i);

		ensure(length < POOL_NAME_BYTES, "name '%s' of a pool is too long", name);
		snprintf(queue_name, sizeof queue_name, "tasks of %s",
			pool->queue_count == 1 ? name : thread_name);
		pool->threads[i].queue = i < pool->queue_count
						 ? queue_new(queue_name, POOL_QUEUE_CAPACITY)
						 : pool->threads[0].queue;
		pool->threads[i].mode = mode;
		pool->threads[i].thread =
			world->spawn(thread_name, affinity, pool_run, &pool->threads[i]);
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
	for (uint32_t i = 0; i < pool->queue_count; i++)
		queue_close(pool->threads[i].queue);
	for (uint32_t i = 0; i < pool->count; i++)
		world->join(pool->threads[i].thread);
	ensure(pool->batches_out == 0, "pool freed, %u batches not waited for", pool->batches_out);
	while (pool->free_batches != NULL) {
		struct pool_batch *batch = pool->free_batches;

		pool->free_batches = batch->next;
		pool_batch_free(batch);
	}
	for (uint32_t i = 0; i < pool->queue_count; i++)
		queue_free(pool->threads[i].queue);
	world->monitor_free(pool->monitor);
	free(pool);
}

/* A batch that was used before, or a new one; with room for `count` tasks. */
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
	batch->arg = arg;
	batch->remaining = count;
	for (uint32_t i = 0; i < count; i++) {
		struct pool_task *task = &batch->tasks[i];
		enum status status;

		task->batch = batch;
		task->index = i;
		status = queue_push(pool->threads[i % pool->queue_count].queue, task,
			DEADLINE_NEVER, pool->mode);
		ensure(status == STATUS_OK, "task %u of %u: %s", i, count, status_name(status));
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
