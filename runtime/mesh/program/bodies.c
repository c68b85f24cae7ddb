/* The command cache of a part of a workload. A part is one program on a range of devices. A body
 * holds the commands of a launch. Normally, all devices share one body. But each device has its own
 * if each device's thread builds the commands, or if the commands differ between devices. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/program/workload.h"

bool bodies_are_shared(const struct mesh_device *mesh)
{
	return !mesh->created_per_device && !mesh->streams_differ;
}

static uint32_t body_count(const struct mesh_device *mesh)
{
	return bodies_are_shared(mesh) ? 1 : mesh->devices;
}

struct launch_body *bodies_new(const struct mesh_device *mesh)
{
	return mesh != NULL ? allocate(body_count(mesh), sizeof(struct launch_body)) : NULL;
}

void bodies_free(const struct mesh_device *mesh, struct launch_body *bodies)
{
	for (uint32_t i = 0; bodies != NULL && i < body_count(mesh); i++)
		launch_body_fini(&bodies[i]);
	free(bodies);
}
