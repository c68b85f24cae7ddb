/* A bounded queue: a ring of pointers under one monitor. Both pushers and poppers wait at this
 * monitor. */
#include "world/queue.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdbool.h>
#include <stdlib.h>

struct queue {
	struct monitor *monitor;
	void **items;
	uint32_t capacity, first;
	uint32_t count;		   /* changed only inside the monitor; atomic, because it is also
				    * read outside the monitor */
	uint32_t pushers, poppers; /* numbers of threads that wait for room, and for an item */
	bool closed;
};

struct queue *queue_new(const char *name, uint32_t capacity)
{
	struct queue *queue = allocate(1, sizeof *queue);

	ensure(capacity > 0, "queue '%s' of capacity 0", name);
	queue->items = allocate(capacity, sizeof *queue->items);
	queue->capacity = capacity;
	queue->monitor = world->monitor_new(name);
	return queue;
}

void queue_free(struct queue *queue)
{
	if (queue == NULL)
		return;
	ensure(queue->count == 0, "queue freed with %u items", queue->count);
	world->monitor_free(queue->monitor);
	free(queue->items);
	free(queue);
}

/* Wakes a thread that may be able to continue. A notify wakes the thread that has waited longest.
 * If some threads wait to push and others wait to pop, this thread may be of the wrong kind, so all
 * waiting threads are woken. */
static void queue_wake(struct queue *queue)
{
	if (queue->pushers > 0 && queue->poppers > 0)
		world->monitor_notify_all(queue->monitor);
	else
		world->monitor_notify_one(queue->monitor);
}

enum status queue_push(struct queue *queue, void *item, int64_t deadline_ns, enum wait_mode mode)
{
	enum status status = STATUS_OK;

	world->work(WORK_QUEUE_PUSH, 1);
	world->monitor_enter(queue->monitor);
	while (queue->count == queue->capacity && !queue->closed && status == STATUS_OK) {
		queue->pushers++;
		status = world->monitor_wait_until(queue->monitor, deadline_ns, mode);
		queue->pushers--;
	}
	if (queue->closed) {
		status = STATUS_CLOSED;
	} else if (queue->count == queue->capacity) {
		status = STATUS_TIMEOUT;
	} else {
		queue->items[(queue->first + queue->count) % queue->capacity] = item;
		__atomic_store_n(&queue->count, queue->count + 1, __ATOMIC_SEQ_CST);
		queue_wake(queue);
		status = STATUS_OK;
	}
	world->monitor_exit(queue->monitor);
	return status;
}

/* Takes the first item. Called inside the monitor, when there is an item. */
static void *queue_take(struct queue *queue)
{
	void *item = queue->items[queue->first];

	queue->first = (queue->first + 1) % queue->capacity;
	__atomic_store_n(&queue->count, queue->count - 1, __ATOMIC_SEQ_CST);
	world->work(WORK_QUEUE_POP, 1);
	queue_wake(queue);
	return item;
}

enum status queue_pop(struct queue *queue, void **item, int64_t deadline_ns, enum wait_mode mode)
{
	enum status status = STATUS_OK;

	world->monitor_enter(queue->monitor);
	while (queue->count == 0 && !queue->closed && status == STATUS_OK) {
		queue->poppers++;
		status = world->monitor_wait_until(queue->monitor, deadline_ns, mode);
		queue->poppers--;
	}
	if (queue->count > 0) {
		*item = queue_take(queue);
		status = STATUS_OK;
	} else {
		status = queue->closed ? STATUS_CLOSED : STATUS_TIMEOUT;
	}
	world->monitor_exit(queue->monitor);
	return status;
}

uint32_t queue_count(const struct queue *queue)
{
	return __atomic_load_n(&queue->count, __ATOMIC_SEQ_CST);
}

void queue_close(struct queue *queue)
{
	world->monitor_enter(queue->monitor);
	queue->closed = true;
	world->monitor_notify_all(queue->monitor);
	world->monitor_exit(queue->monitor);
}
