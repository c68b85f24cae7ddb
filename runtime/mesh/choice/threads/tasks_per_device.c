/* The variant `per-device` of struct tasks_ops (spec 3.9.2): each task of a thread pool covers one
 * device, and the caller waits for all tasks. */
#include "mesh/choice/rows.h"

static void per_device_run(struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	spread_run(mesh, posts, count, 1);
}

const struct tasks_ops tasks_per_device = {
	.entry = {.name = "per-device",
		.description = "a task for each device; the caller waits for all",
		.section = "3.9.2",
		.resources = "a hand-over and perhaps a wake-up for each device"},
	.run = per_device_run,
};
