/* What the mesh devices of a cluster have taken of it, and what lives as long as the cluster. */
#include "mesh/device/system.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

struct mesh_system *mesh_system_new(struct cluster *cluster)
{
	struct mesh_system *system = allocate(1, sizeof(*system));

	system->cluster = cluster;
	inventory_init(&system->inventory, device_row->info(cluster));
	return system;
}

void system_own(struct mesh_system *system, struct owned owned)
{
	struct owned *kept = arena_alloc(&system->arena, sizeof(*kept));

	*kept = owned;
	kept->next = system->owned;
	system->owned = kept;
}

void mesh_system_free(struct mesh_system *system)
{
	if (system == NULL)
		return;
	for (struct owned *owned = system->owned; owned != NULL; owned = owned->next) {
		firmware_stage_free(owned->stage);
		worker_group_free(owned->workers);
		firmware_free(owned->firmware);
	}
	inventory_fini(&system->inventory);
	arena_fini(&system->arena);
	free(system);
}
