/* The variant `batches` of struct tasks_ops (spec 3.9.2): each task of a thread pool covers several
 * devices (runtime.host.batch_devices). This needs fewer hand-overs and wake-ups than one task for
 * each device, but may divide the work unequally among the threads. */
#include "mesh/choice/rows.h"

#include "mesh/device/device.h"
#include "mesh/defaults.h"

static void batches_run(struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	uint32_t devices = mesh->config.host.batch_devices;

	spread_run(mesh, posts, count, devices > 0 ? devices : MESH_DEFAULT_BATCH_DEVICES);
}

static const char *const keys[] = {"runtime.host.batch_devices", NULL};

const struct tasks_ops tasks_batches = {
	.entry = {.name = "batches",
		.description = "a task for each batch_devices devices; the caller waits for all",
		.section = "3.9.2",
		.resources = "a hand-over and perhaps a wake-up for each task",
		.keys = keys},
	.run = batches_run,
};
