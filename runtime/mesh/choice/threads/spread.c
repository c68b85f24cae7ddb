/* Divides posts into tasks for a pool, submits them as one batch, and waits for the batch. */
#include "mesh/choice/rows.h"

#include "mesh/device/device.h"
#include "world/pool.h"

/* Posts that are divided into tasks. This struct lies on the caller's stack. */
struct spread {
	struct mesh_device *mesh;
	const struct range_post *posts;
	uint32_t devices; /* number of devices in a task */
};

static uint32_t tasks_of(const struct spread *spread, const struct range_post *post)
{
	return (device_range_count(post->range) + spread->devices - 1) / spread->devices;
}

static void spread_task(void *arg, uint32_t index)
{
	const struct spread *spread = arg;
	const struct range_post *post = spread->posts;
	uint32_t first, count;

	while (index >= tasks_of(spread, post))
		index -= tasks_of(spread, post++);
	first = index * spread->devices;
	count = device_range_count(post->range);
	for (uint32_t i = first; i < count && i < first + spread->devices; i++)
		post->run(post->arg, range_device(spread->mesh, post->range, i));
}

void spread_run(
	struct mesh_device *mesh, const struct range_post *posts, uint32_t count, uint32_t devices)
{
	struct spread spread = {mesh, posts, devices};
	uint32_t tasks = 0;

	for (uint32_t i = 0; i < count; i++)
		tasks += tasks_of(&spread, &posts[i]);
	if (tasks == 1)
		spread_task(&spread, 0);
	else
		pool_wait(mesh->threads, pool_submit(mesh->threads, tasks, spread_task, &spread),
			mesh->config.host.caller_wait);
}
