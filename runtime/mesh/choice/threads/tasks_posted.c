/* The variant `posted` of struct tasks_ops (spec 3.9.2): each task covers one device, and the
 * caller does not wait. The same thread must execute all tasks of a device, so that the device's
 * commands stay in order. Therefore each thread must have its own queue of tasks (variant `own` of
 * the queues), or the pool must have only one thread. */
#include "mesh/choice/rows.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/device.h"
#include "world/pool.h"

/* A post whose tasks may run after the caller has returned. The last task frees this struct. */
struct posted {
	struct mesh_device *mesh;
	struct range_post post;
};

static uint32_t posted_device(void *arg, uint32_t i)
{
	const struct posted *posted = arg;

	return range_device(posted->mesh, posted->post.range, i);
}

static void posted_task(void *arg, uint32_t device)
{
	const struct posted *posted = arg;

	posted->post.run(posted->post.arg, device);
}

static void posted_done(void *arg)
{
	struct posted *posted = arg;

	posted->post.done(posted->post.arg);
	free(posted);
}

static void posted_run(struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct posted *posted = allocate(1, sizeof(*posted));
		const struct pool_work work = {posted_device, posted_task, posted_done, posted};

		*posted = (struct posted){mesh, posts[i]};
		pool_post(mesh->threads, device_range_count(posts[i].range), &work);
	}
}

const struct tasks_ops tasks_posted = {
	.entry = {.name = "posted",
		.description = "a task for each device; the caller goes on at once",
		.section = "3.9.2",
		.resources =
			"a hand-over for each device; queues: own, which keep a device's order"},
	.asynchronous = true,
	.run = posted_run,
};
