/* Host threads `pool` (spec 3.9.2): n threads that execute one task per device. All threads share
 * one queue of tasks, or each thread has its own queue. If there is only one device, the caller
 * does the work itself. The programs of a workload are sent to all their devices together. */
#include "mesh/plan/plan.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/device.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"
#include "world/pool.h"

/* A range that is divided into tasks, one for each device. Lies on the caller's stack. */
struct spread {
	struct mesh_device *mesh;
	struct device_range range;
	void (*run)(void *arg, uint32_t device);
	void *arg;
};

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

static void run_task(void *arg, uint32_t index)
{
	struct spread *spread = arg;

	spread->run(spread->arg, range_device(spread->mesh, spread->range, index));
}

static void threads_pool_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	struct spread spread = {mesh, range, run, arg};
	uint32_t count = device_range_count(range);

	if (count == 1)
		run(arg, range_device(mesh, range, 0));
	else
		pool_wait(mesh->threads, pool_submit(mesh->threads, count, run_task, &spread),
			mesh->config.host.caller_wait);
	done(arg);
}

/* Several ranges that are divided into tasks, one for each device. */
struct spread_all {
	struct mesh_device *mesh;
	const struct range_post *posts;
};

static void run_task_of_all(void *arg, uint32_t index)
{
	const struct spread_all *spread = arg;
	const struct range_post *post = spread->posts;

	while (index >= device_range_count(post->range))
		index -= device_range_count(post++->range);
	post->run(post->arg, range_device(spread->mesh, post->range, index));
}

static void threads_pool_post_all(
	struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	struct spread_all spread = {mesh, posts};
	uint32_t tasks = 0;

	for (uint32_t i = 0; i < count; i++)
		tasks += device_range_count(posts[i].range);
	if (tasks == 1)
		run_task_of_all(&spread, 0);
	else
		pool_wait(mesh->threads,
			pool_submit(mesh->threads, tasks, run_task_of_all, &spread),
			mesh->config.host.caller_wait);
}

static struct pool *threads_pool_of(struct mesh_device *mesh)
{
	return mesh->threads;
}

static const char *const keys[] = {
	"runtime.host.count", "runtime.host.queues", "runtime.host.worker_wait", NULL};

const struct threads_ops threads_pool = {
	.entry = {.name = "pool",
		.description = "n threads with one queue of tasks or one each, a task per device",
		.section = "3.9.2",
		.resources = "runtime.host.count threads",
		.keys = keys},
	.thread_count = thread_count,
	.start = threads_pool_start,
	.stop = stop,
	.post = threads_pool_post,
	.post_all = threads_pool_post_all,
	.pool = threads_pool_of,
};
