/* Who creates the operation of a workload and builds its commands, and how often (spec 3.9.2,
 * 3.10.3). Commands of other kinds are built as the host threads say. */
#include "mesh/choice/rows.h"

const struct create_ops create_auto = {
	.entry = {.name = "auto",
		.description = "per-device where every device has a host thread, else per-mesh",
		.section = "3.9",
		.resources = "those of the one or the other"},
	.scope = CREATE_AS_THREADS,
};

const struct create_ops create_per_mesh = {
	.entry = {.name = "per-mesh",
		.description = "once by the caller, for all devices that run a program",
		.section = "3.9.2",
		.resources = "one command stream in the cache per program and range"},
	.scope = CREATE_PER_MESH,
};

const struct create_ops create_per_device = {
	.entry = {.name = "per-device",
		.description = "for every device by the host thread that works for it",
		.section = "3.9.1, 3.9.2",
		.resources = "a command stream in the cache per program and device"},
	.scope = CREATE_PER_DEVICE,
};

const struct create_ops create_per_device_caller = {
	.entry = {.name = "per-device-caller",
		.description = "for every device by the caller, before host threads send it",
		.section = "3.9.2",
		.resources = "a command stream in the cache per program and device"},
	.scope = CREATE_PER_DEVICE,
	.by_caller = true,
};
