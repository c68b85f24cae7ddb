/* Look-ups in a logical graph: meshes by their ids, and the meshes and ranks of devices. */
#include "topology/logical.h"

const struct logical_mesh *logical_find(const struct logical *logical, uint32_t id)
{
	for (uint32_t i = 0; i < logical->mesh_count; i++)
		if (logical->meshes[i].id == id)
			return &logical->meshes[i];
	return NULL;
}

uint32_t logical_mesh_of(const struct logical *logical, uint32_t device)
{
	uint32_t low = 0, high = logical->mesh_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (logical->meshes[middle].first <= device)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t logical_rank_of(const struct logical *logical, uint32_t device)
{
	const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, device)];
	uint32_t row = (device - mesh->first) / mesh->columns;
	uint32_t column = (device - mesh->first) % mesh->columns;

	return mesh->first_rank + row / (mesh->rows / mesh->host_rows) * mesh->host_columns +
	       column / (mesh->columns / mesh->host_columns);
}

uint32_t logical_mesh_of_rank(const struct logical *logical, uint32_t rank)
{
	uint32_t mesh = 0;

	while (mesh + 1 < logical->mesh_count && logical->meshes[mesh + 1].first_rank <= rank)
		mesh++;
	return mesh;
}
