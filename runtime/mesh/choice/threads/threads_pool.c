/* The variant `pool` of struct threads_ops (spec 3.9.2): n threads execute tasks for devices.
 * Either all threads share one queue of tasks, or each thread has its own queue.
 * runtime.host.pool_tasks chooses how work is divided into tasks. post_all() submits the tasks of
 * several posts as one batch, for example those of all programs of a workload. So threads need not
 * finish the tasks of one post before those of the next. */
#include "mesh/plan/plan.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/device.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"
#include "world/pool.h"

static uint32_t thread_count(const struct mesh_config *config, uint32_t devices)
{
	(void)devices;
	return sizes_pool_threads(config);
}

static void threads_pool_start(struct mesh_device *mesh)
{
	const struct host_config *host = &mesh->config.host;

	uint32_t count = sizes_pool_threads(&mesh->config);
	struct affinity *where = allocate(count, sizeof(*where));

	for (uint32_t i = 0; i < count; i++)
		where[i] = host_threads_place(mesh);
	mesh->threads = pool_new("mesh-pool", count, where, host->worker_wait, host->queues->kind);
	free(where);
}

static void stop(struct mesh_device *mesh)
{
	pool_free(mesh->threads);
}

static void threads_pool_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	const struct tasks_ops *tasks = mesh->config.host.pool_tasks;
	struct range_post post = {range, run, done, arg};

	tasks->run(mesh, &post, 1);
	if (!tasks->asynchronous)
		done(arg);
}

static void threads_pool_post_all(
	struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	mesh->config.host.pool_tasks->run(mesh, posts, count);
}

static void threads_pool_wait(struct mesh_device *mesh)
{
	pool_drain(mesh->threads, mesh->config.host.caller_wait);
}

static struct pool *threads_pool_of(struct mesh_device *mesh)
{
	return mesh->threads;
}

static const char *const keys[] = {"runtime.host.count", "runtime.host.queues",
	"runtime.host.pool_tasks", "runtime.host.batch_devices", "runtime.host.worker_wait", NULL};

const struct threads_ops threads_pool = {
	.entry = {.name = "pool",
		.description = "n threads with one queue of tasks or one each",
		.section = "3.9.2",
		.resources = "runtime.host.count threads",
		.keys = keys},
	.thread_count = thread_count,
	.start = threads_pool_start,
	.stop = stop,
	.post = threads_pool_post,
	.post_all = threads_pool_post_all,
	.wait = threads_pool_wait,
	.pool = threads_pool_of,
};
