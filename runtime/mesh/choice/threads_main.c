/* Host threads `main` (spec 3.9.2): the calling thread does everything itself, device by device. */
#include "mesh/queue/job.h"
#include "registry_rows.h"

static uint32_t thread_count(const struct mesh_config *config, uint32_t devices)
{
	(void)config;
	(void)devices;
	return 0;
}

static void start(struct mesh_device *mesh)
{
	mesh->threads = NULL;
}

static void stop(struct mesh_device *mesh)
{
	(void)mesh;
}

static void post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		run(arg, range_device(mesh, range, i));
	done(arg);
}

static void wait(struct mesh_device *mesh)
{
	(void)mesh;
}

const struct threads_ops threads_main = {
	.entry = {.name = "main",
		.description = "the calling thread works for all devices in turn",
		.section = "3.9.2",
		.resources = "no threads"},
	.per_device = false,
	.thread_count = thread_count,
	.start = start,
	.stop = stop,
	.post = post,
	.wait = wait,
};
