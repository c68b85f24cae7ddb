/* Compiles kernels separately for every device, on the host thread that works for the device (spec
 * 5.1.1, as TT-NN does without a native mesh). Each device has its own program cache. */
#include "mesh/choice/rows.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/compile/compile.h"
#include "mesh/queue/job.h"

struct device_job {
	struct mesh_device *mesh;
	const struct compile_job *job;
};

static void compile_device(void *arg, uint32_t device)
{
	const struct device_job *at = arg;
	struct compiled *compiled = mesh_compiled(at->mesh, device);
	const struct compile_job *job = at->job;

	for (uint32_t i = 0; i < job->count; i++)
		if (compiled_take(compiled, job->program, job->kernels[i]))
			compile_kernel(job->kernels[i]);
}

static void compilation_per_device_run(
	struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count)
{
	struct device_job *at = allocate(count, sizeof(*at));

	host_threads_gather(mesh, true);
	for (uint32_t i = 0; i < count; i++) {
		at[i] = (struct device_job){mesh, &jobs[i]};
		host_threads_post(mesh, jobs[i].range, compile_device, NULL, &at[i]);
	}
	host_threads_gathered(mesh);
	host_threads_wait(mesh);
	free(at);
}

const struct compilation_ops compilation_per_device = {
	.entry = {.name = "per-device",
		.description = "every kernel for every device, by its host thread",
		.section = "5.1.1",
		.resources = "time of a host thread, and a program cache, per device"},
	.compile = compilation_per_device_run,
};
