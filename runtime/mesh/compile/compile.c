/* Compiles kernels for a mesh device: keeps the program caches, and finds devices that need the
 * same binaries (compile.h). The variants of runtime.host.compile divide the work among threads. */
#include "mesh/compile/compile.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"
#include "world/pool.h"

struct compiled *mesh_compiled(const struct mesh_device *mesh, uint32_t device)
{
	return &mesh->compiled[device];
}

void mesh_compile(struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count)
{
	const struct compilation_ops *row = mesh->config.host.compile;

	if (row->compile == NULL)
		return;
	if (mesh->compiled == NULL) {
		mesh->compiled = allocate(mesh->devices, sizeof(*mesh->compiled));
		for (uint32_t device = 0; device < mesh->devices; device++)
			mesh->compiled[device].forgets = mesh->config.compiles_again;
	}
	row->compile(mesh, jobs, count);
}

uint32_t mesh_compile_variant(const struct mesh_device *mesh, uint32_t device)
{
	const uint16_t *chips = mesh->plan.mesh.chips;
	uint32_t first = 0;

	if (!mesh->streams_differ)
		return 0;
	while (mesh->info->chips[chips[first]].geometry !=
		mesh->info->chips[chips[device]].geometry)
		first++;
	return first;
}

/* Returns true if a device of the range with an index below `index` needs the binaries with the
 * number `variant`. */
static bool is_served(
	const struct mesh_device *mesh, struct device_range range, uint32_t index, uint32_t variant)
{
	for (uint32_t i = 0; i < index; i++)
		if (mesh_compile_variant(mesh, range_device(mesh, range, i)) == variant)
			return true;
	return false;
}

void mesh_compile_missing(struct mesh_device *mesh, const struct compile_job *job,
	void (*take)(void *arg, const struct kernel_config *kernel), void *arg)
{
	uint32_t devices = mesh->streams_differ ? device_range_count(job->range) : 1;

	for (uint32_t i = 0; i < devices; i++) {
		uint32_t device = range_device(mesh, job->range, i);
		uint32_t variant = mesh_compile_variant(mesh, device);

		if (is_served(mesh, job->range, i, variant))
			continue;
		for (uint32_t k = 0; k < job->count; k++)
			if (compiled_take(&mesh->compiled[variant], job->program, job->kernels[k]))
				take(arg, job->kernels[k]);
	}
}

void mesh_compile_fini(struct mesh_device *mesh)
{
	for (uint32_t device = 0; mesh->compiled != NULL && device < mesh->devices; device++)
		compiled_fini(&mesh->compiled[device]);
	free(mesh->compiled);
	pool_free(mesh->compilers);
}
