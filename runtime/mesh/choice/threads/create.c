/* The variants that choose which thread creates the operation of a workload or an event and builds
 * its commands (spec 3.9.2, 3.10.3). They also choose whether all devices share one operation, or
 * each device has its own. If commands are broadcast, all devices share one operation in all
 * variants. Otherwise, the variants differ: devices share one operation in `per-mesh`, but not in
 * `per-device` and `per-device-caller`. In `auto`, they share one operation for an event, and also
 * one for a workload unless each device has its own host thread. */
#include "mesh/choice/rows.h"

#define CREATE_ROW(row, name_, scope_, by_caller_, what, takes)                                    \
	const struct create_ops create_##row = {.entry = {.name = name_,                           \
							.description = what,                       \
							.section = "3.9.2, 3.10.3",                \
							.resources = takes},                       \
		.scope = scope_,                                                                   \
		.by_caller = by_caller_}

#define PER_DEVICE "a command stream in the cache per program and device"

CREATE_ROW(auto, "auto", CREATE_AS_THREADS, false,
	"per-device where every device has a host thread, else per-mesh",
	"those of the one or the other");
CREATE_ROW(per_mesh, "per-mesh", CREATE_PER_MESH, false,
	"once by the caller, for all devices that run a program",
	"one command stream in the cache per program and range");
CREATE_ROW(per_device, "per-device", CREATE_PER_DEVICE, false,
	"for every device by the host thread that works for it", PER_DEVICE);
CREATE_ROW(per_device_caller, "per-device-caller", CREATE_PER_DEVICE, true,
	"for every device by the caller, before host threads send it", PER_DEVICE);
