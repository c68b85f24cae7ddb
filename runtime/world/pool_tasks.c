/* The tasks that wait in a pool. There is one queue for all threads, or one queue for each thread,
 * with or without stealing. A thread that may steal waits at its own bell (a monitor), because its
 * next task may arrive in any queue. */
#include "world/pool.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/queue.h"

#include <stdio.h>
#include <stdlib.h>

enum { TASKS_QUEUE_CAPACITY = 1024, TASKS_NAME_BYTES = 80 };

/* A bell, at which a thread sleeps if it found no task to take or steal. */
struct bell {
	struct monitor *monitor;
	bool asleep; /* changed inside the monitor; atomic, because it is also read outside */
};

struct pool_tasks {
	enum wait_mode mode;
	bool steals;
	bool closed;	   /* true: threads end when no tasks are left; atomic */
	uint32_t sleepers; /* number of bells whose thread is asleep; atomic */
	uint32_t queue_count;
	struct queue **queues;
	struct bell *bells; /* [thread] only if threads steal */
};

struct pool_tasks *pool_tasks_new(
	const char *name, uint32_t threads, enum wait_mode mode, enum pool_queues queues)
{
	struct pool_tasks *tasks = allocate(1, sizeof *tasks);
	char queue_name[TASKS_NAME_BYTES];

	tasks->mode = mode;
	tasks->steals = queues == POOL_STEALING;
	tasks->queue_count = queues == POOL_SHARED ? 1 : threads;
	tasks->queues = allocate(tasks->queue_count, sizeof(struct queue *));
	if (tasks->steals)
		tasks->bells = allocate(threads, sizeof *tasks->bells);
	for (uint32_t i = 0; i < tasks->queue_count; i++) {
		if (tasks->queue_count == 1)
			snprintf(queue_name, sizeof queue_name, "tasks of %s", name);
		else
			snprintf(queue_name, sizeof queue_name, "tasks of %s-%u", name, i);
		tasks->queues[i] = queue_new(queue_name, TASKS_QUEUE_CAPACITY);
		if (tasks->steals)
			tasks->bells[i].monitor = world->monitor_new(queue_name);
	}
	return tasks;
}

void pool_tasks_free(struct pool_tasks *tasks)
{
	for (uint32_t i = 0; i < tasks->queue_count; i++) {
		queue_free(tasks->queues[i]);
		if (tasks->steals)
			world->monitor_free(tasks->bells[i].monitor);
	}
	free(tasks->queues);
	free(tasks->bells);
	free(tasks);
}

/* ---- bells ---- */

/* Wakes a thread if it sleeps at its bell. Returns true if it slept. */
static bool ring(struct pool_tasks *tasks, uint32_t thread)
{
	struct bell *bell = &tasks->bells[thread];
	bool slept;

	if (!__atomic_load_n(&bell->asleep, __ATOMIC_SEQ_CST))
		return false;
	world->monitor_enter(bell->monitor);
	slept = bell->asleep;
	if (slept) {
		__atomic_store_n(&bell->asleep, false, __ATOMIC_SEQ_CST);
		__atomic_sub_fetch(&tasks->sleepers, 1, __ATOMIC_SEQ_CST);
		world->monitor_notify_one(bell->monitor);
	}
	world->monitor_exit(bell->monitor);
	return slept;
}

/* Called after a task was added to the queue of `thread`. Wakes this thread if it sleeps. Otherwise
 * wakes another sleeping thread, if there is one, which can steal the task. */
static void ring_for(struct pool_tasks *tasks, uint32_t thread)
{
	for (uint32_t i = 0; i < tasks->queue_count; i++) {
		if (__atomic_load_n(&tasks->sleepers, __ATOMIC_SEQ_CST) == 0)
			return;
		if (ring(tasks, (thread + i) % tasks->queue_count))
			return;
	}
}

static bool is_anything_there(const struct pool_tasks *tasks)
{
	for (uint32_t i = 0; i < tasks->queue_count; i++)
		if (queue_count(tasks->queues[i]) > 0)
			return true;
	return false;
}

/* Sleeps until the thread's bell is rung. The order of steps makes sure that no task is missed. A
 * thread that pushes a task first puts it into the queue, and then looks for sleepers. A thread
 * that goes to sleep first counts itself as a sleeper, and then looks at the queues. So at least
 * one of the two threads sees what the other has done. */
static void sleep_at_bell(struct pool_tasks *tasks, uint32_t thread)
{
	struct bell *bell = &tasks->bells[thread];

	world->monitor_enter(bell->monitor);
	__atomic_add_fetch(&tasks->sleepers, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&bell->asleep, true, __ATOMIC_SEQ_CST);
	if (is_anything_there(tasks) || __atomic_load_n(&tasks->closed, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&bell->asleep, false, __ATOMIC_SEQ_CST);
		__atomic_sub_fetch(&tasks->sleepers, 1, __ATOMIC_SEQ_CST);
	}
	while (bell->asleep)
		world->monitor_wait_until(bell->monitor, DEADLINE_NEVER, tasks->mode);
	world->monitor_exit(bell->monitor);
}

/* ---- tasks ---- */

/* Returns the oldest task of a queue; NULL if there is none. Does not block. */
static void *try_pop(struct pool_tasks *tasks, uint32_t queue)
{
	void *task;

	if (queue_count(tasks->queues[queue]) == 0)
		return NULL;
	return queue_pop(tasks->queues[queue], &task, 0, tasks->mode) == STATUS_OK ? task : NULL;
}

/* Returns a task of the thread's own queue; if it is empty, a task of the other queues in turn. */
static void *own_or_stolen(struct pool_tasks *tasks, uint32_t thread)
{
	void *task = try_pop(tasks, thread);

	for (uint32_t i = 1; i < tasks->queue_count && task == NULL; i++) {
		world->work(WORK_POLL, 1);
		task = try_pop(tasks, (thread + i) % tasks->queue_count);
	}
	return task;
}

void pool_tasks_push(struct pool_tasks *tasks, uint32_t index, void *task)
{
	uint32_t queue = index % tasks->queue_count;
	enum status status = queue_push(tasks->queues[queue], task, DEADLINE_NEVER, tasks->mode);

	ensure(status == STATUS_OK, "task %u not queued: %s", index, status_name(status));
	if (tasks->steals)
		ring_for(tasks, queue);
}

void *pool_tasks_pop(struct pool_tasks *tasks, uint32_t thread)
{
	struct queue *own = tasks->queues[thread % tasks->queue_count];
	void *task;

	if (!tasks->steals)
		return queue_pop(own, &task, DEADLINE_NEVER, tasks->mode) == STATUS_OK ? task
										       : NULL;
	while ((task = own_or_stolen(tasks, thread)) == NULL) {
		if (__atomic_load_n(&tasks->closed, __ATOMIC_SEQ_CST) && !is_anything_there(tasks))
			return NULL;
		sleep_at_bell(tasks, thread);
	}
	return task;
}

void pool_tasks_close(struct pool_tasks *tasks)
{
	for (uint32_t i = 0; i < tasks->queue_count; i++)
		queue_close(tasks->queues[i]);
	__atomic_store_n(&tasks->closed, true, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; tasks->steals && i < tasks->queue_count; i++)
		ring(tasks, i);
}
