/* The variant `main` of struct threads_ops (spec 3.9.2): the calling thread does all work, device
 * by device. */
#include "mesh/device/device.h"
#include "mesh/choice/rows.h"

static void threads_main_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		run(arg, range_device(mesh, range, i));
	done(arg);
}

const struct threads_ops threads_main = {
	.entry = {.name = "main",
		.description = "the calling thread works for all devices in turn",
		.section = "3.9.2",
		.resources = "no threads"},
	.post = threads_main_post,
};
