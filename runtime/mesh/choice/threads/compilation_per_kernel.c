/* Compiles each kernel once, for all devices that need the same binary. The host threads share the
 * work: the thread that works for device n compiles kernels n, n + devices, n + 2 * devices, and so
 * on. */
#include "mesh/choice/rows.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/compile/compile.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"
#include "mesh/queue/job.h"

struct kernel_list {
	const struct kernel_config **at;
	uint32_t count, devices;
};

static void take(void *arg, const struct kernel_config *kernel)
{
	struct kernel_list *list = arg;

	list->at = allocate_more(list->at, list->count + 1, sizeof(*list->at));
	list->at[list->count++] = kernel;
}

static void compile_some(void *arg, uint32_t device)
{
	const struct kernel_list *list = arg;

	for (uint32_t i = device; i < list->count; i += list->devices)
		compile_kernel(list->at[i]);
}

static void compilation_per_kernel_run(
	struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count)
{
	struct kernel_list list = {.devices = mesh->devices};

	for (uint32_t i = 0; i < count; i++)
		mesh_compile_missing(mesh, &jobs[i], take, &list);
	if (list.count > 0) {
		host_threads_post(
			mesh, device_range_all(mesh->plan.mesh.shape), compile_some, NULL, &list);
		host_threads_wait(mesh);
	}
	free(list.at);
}

const struct compilation_ops compilation_per_kernel = {
	.entry = {.name = "per-kernel",
		.description = "every kernel once for all devices that are alike, each by another "
			       "host thread",
		.section = "5.1.1",
		.resources = "time of as many host threads as kernels, a program cache per mesh"},
	.compile = compilation_per_kernel_run,
};
