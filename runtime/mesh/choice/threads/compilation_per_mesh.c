/* Compiles kernels on the caller's thread, once for all devices that need the same binary (spec
 * 5.1.1, as planned for TT-NN with a native mesh). */
#include "mesh/choice/rows.h"

#include "mesh/compile/compile.h"

static void take(void *arg, const struct kernel_config *kernel)
{
	(void)arg;
	compile_kernel(kernel);
}

static void compilation_per_mesh_run(
	struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		mesh_compile_missing(mesh, &jobs[i], take, NULL);
}

const struct compilation_ops compilation_per_mesh = {
	.entry = {.name = "per-mesh",
		.description = "every kernel once for all devices that are alike, by the caller",
		.section = "5.1.1",
		.resources = "the caller's time, and a program cache per mesh"},
	.compile = compilation_per_mesh_run,
};
