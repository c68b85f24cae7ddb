/* The variant `per-device` of struct threads_ops (spec 3.9.1, today's design): each device has a
 * dispatch thread with a queue of tasks. The caller returns as soon as it has put its tasks into
 * the queues. The dispatch thread creates the operation and builds the commands for its own device.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/device/device.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"
#include "world/queue.h"

enum { TASK_QUEUE_CAPACITY = 256, NAME_BYTES = 48 };

/* One call of threads_per_device_post(). The threads of its range share this struct. */
struct task {
	void (*run)(void *arg, uint32_t device);
	void (*done)(void *arg);
	void *arg;
	uint32_t remaining; /* number of devices whose call of run() is not over; atomic */
};

struct dispatch_thread {
	struct queue *tasks;
	struct thread *thread;
	uint32_t device;
	enum wait_mode mode;
};

struct dispatch_threads {
	struct semaphore *drained;
	bool busy; /* true if something was posted since the last threads_per_device_wait() */
	struct dispatch_thread at[]; /* [device] the thread of the device */
};

static uint32_t thread_count(const struct mesh_config *config, uint32_t devices)
{
	(void)config;
	return devices;
}

static void threads_per_device_loop(void *arg)
{
	struct dispatch_thread *self = arg;
	void *item;

	while (queue_pop(self->tasks, &item, DEADLINE_NEVER, self->mode) == STATUS_OK) {
		struct task *task = item;

		task->run(task->arg, self->device);
		if (__atomic_sub_fetch(&task->remaining, 1, __ATOMIC_ACQ_REL) > 0)
			continue;
		task->done(task->arg);
		free(task);
	}
}

static void threads_per_device_start(struct mesh_device *mesh)
{
	struct dispatch_threads *threads =
		allocate(1, sizeof(*threads) + mesh->devices * sizeof(threads->at[0]));

	mesh->threads = threads;
	threads->drained = semaphore_new("drained dispatch threads", 0);
	for (uint32_t i = 0; i < mesh->devices; i++) {
		uint16_t chip = mesh->plan.mesh.chips[i];
		char name[NAME_BYTES];

		snprintf(name, sizeof(name), "dispatch-%u", chip);
		threads->at[i].device = i;
		threads->at[i].mode = mesh->config.host.worker_wait;
		threads->at[i].tasks = queue_new("tasks of a device", TASK_QUEUE_CAPACITY);
		threads->at[i].thread = world->spawn(
			name, host_threads_place(mesh), threads_per_device_loop, &threads->at[i]);
	}
}

static void threads_per_device_stop(struct mesh_device *mesh)
{
	struct dispatch_threads *threads = mesh->threads;

	for (uint32_t i = 0; i < mesh->devices; i++)
		queue_close(threads->at[i].tasks);
	for (uint32_t i = 0; i < mesh->devices; i++) {
		world->join(threads->at[i].thread);
		queue_free(threads->at[i].tasks);
	}
	semaphore_free(threads->drained);
	free(threads);
}

static void threads_per_device_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	struct dispatch_threads *threads = mesh->threads;
	uint32_t count = device_range_count(range);
	struct task *task = allocate(1, sizeof(*task));

	*task = (struct task){run, done, arg, count};
	threads->busy = true;
	for (uint32_t i = 0; i < count; i++) {
		struct queue *tasks = threads->at[range_device(mesh, range, i)].tasks;
		enum status status =
			queue_push(tasks, task, DEADLINE_NEVER, mesh->config.host.caller_wait);

		ensure(status == STATUS_OK, "task not queued: %s", status_message(status));
	}
}

static void run_nothing(void *arg, uint32_t device)
{
	(void)arg;
	(void)device;
}

static void release(void *arg)
{
	semaphore_release(arg, 1);
}

static void threads_per_device_wait(struct mesh_device *mesh)
{
	struct dispatch_threads *threads = mesh->threads;

	if (!threads->busy)
		return;
	threads_per_device_post(mesh, device_range_all(mesh->plan.mesh.shape), run_nothing, release,
		threads->drained);
	semaphore_acquire(threads->drained, DEADLINE_NEVER, mesh->config.host.caller_wait);
	threads->busy = false;
}

static const char *const keys[] = {"runtime.host.worker_wait", NULL};

const struct threads_ops threads_per_device = {
	.entry = {.name = "per-device",
		.description = "a dispatch thread per device, which builds its own commands",
		.section = "3.9.1",
		.resources = "one thread per device",
		.keys = keys},
	.asynchronous = true,
	.own_streams = true,
	.thread_count = thread_count,
	.start = threads_per_device_start,
	.stop = threads_per_device_stop,
	.post = threads_per_device_post,
	.wait = threads_per_device_wait,
};
