/* A virtual mesh: a rectangle at an offset in the platform's physical mesh (spec 3.1.2, 3.1.3). The
 * rectangle must lie inside the physical mesh and must contain no holes. */
#ifndef FABRIC_VIRTUAL_MESH_H
#define FABRIC_VIRTUAL_MESH_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "fabric/shape.h"
#include "world/device.h"

/* A virtual mesh and its chips. `chips` belongs to the arena given to virtual_mesh_init(). */
struct virtual_mesh {
	struct mesh_shape shape;
	struct mesh_offset offset;
	const uint16_t *chips; /* [row * columns + column] chip of the cluster */
};

/* Places a mesh of `shape` at `offset` of the physical mesh of `info`. Returns OK. Returns INVALID
 * if the mesh has no rows or no columns. Returns OUT_OF_RANGE if the mesh is larger than the
 * platform, or if the offset moves it outside. Returns NOT_FOUND if a position of the physical mesh
 * has no chip. On an error, appends a sentence to `why` (may be NULL). */
enum status virtual_mesh_init(struct virtual_mesh *mesh, const struct cluster_info *info,
	struct mesh_shape shape, struct mesh_offset offset, struct arena *arena, struct text *why);

/* Returns the chip at (row, column) of the virtual mesh. */
static inline uint16_t virtual_mesh_chip(
	const struct virtual_mesh *mesh, uint16_t row, uint16_t column)
{
	return mesh->chips[(uint32_t)row * mesh->shape.columns + column];
}

#endif
