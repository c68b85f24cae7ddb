/* State that the mesh devices of a cluster share: the parts of the cluster that are in use, and
 * objects that live as long as the cluster. */
#include "mesh/device/device.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

struct mesh_system *mesh_system_plan(const struct cluster_info *info)
{
	struct mesh_system *system = allocate(1, sizeof(*system));

	system->info = info;
	system->entry = world->monitor_new("opening and closing of mesh devices");
	inventory_init(&system->inventory, info);
	return system;
}

struct mesh_system *mesh_system_new(struct cluster *cluster)
{
	struct mesh_system *system = mesh_system_plan(device_row->info(cluster));

	system->cluster = cluster;
	return system;
}

struct estate *system_estate(struct mesh_system *system)
{
	struct estate *estate = allocate(1, sizeof(*estate));

	estate->next = system->estates;
	system->estates = estate;
	return estate;
}

void estate_own(struct estate *estate, struct owned owned)
{
	struct owned *kept = arena_alloc(&estate->arena, sizeof(*kept));

	*kept = owned;
	kept->next = estate->owned;
	estate->owned = kept;
}

static void estate_free(struct estate *estate)
{
	for (struct owned *owned = estate->owned; owned != NULL; owned = owned->next) {
		firmware_stage_free(owned->stage);
		worker_group_free(owned->workers);
		firmware_free(owned->firmware);
	}
	arena_fini(&estate->arena);
	free(estate);
}

void mesh_system_free(struct mesh_system *system)
{
	if (system == NULL)
		return;
	while (system->estates != NULL) {
		struct estate *estate = system->estates;

		system->estates = estate->next;
		estate_free(estate);
	}
	inventory_fini(&system->inventory);
	world->monitor_free(system->entry);
	free(system);
}
