/* Shapes of meshes, and positions in meshes (spec 3.1.2). Row 0 and column 0 are at the upper left.
 * The index of a device in its mesh is row * columns + column. */
#ifndef FABRIC_SHAPE_H
#define FABRIC_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "world/device.h"

struct mesh_shape {
	uint16_t rows, columns;
};

/* The place of a virtual mesh's upper left device in the physical mesh. */
struct mesh_offset {
	uint16_t row, column;
};

/* A rectangle of devices of a virtual mesh. Both corners belong to it. */
struct device_range {
	uint16_t row0, column0, row1, column1;
};

/* Returns the number of devices of a shape. */
static inline uint32_t mesh_shape_count(struct mesh_shape shape)
{
	return (uint32_t)shape.rows * shape.columns;
}

/* Returns the range of all devices of `shape`. The shape must have at least one device. */
static inline struct device_range device_range_all(struct mesh_shape shape)
{
	return (struct device_range){
		0, 0, (uint16_t)(shape.rows - 1), (uint16_t)(shape.columns - 1)};
}

/* Returns the number of devices of the range. */
static inline uint32_t device_range_count(struct device_range range)
{
	return (uint32_t)(range.row1 - range.row0 + 1) *
	       (uint32_t)(range.column1 - range.column0 + 1);
}

/* Returns true if the range is not empty and lies inside `shape`. */
static inline bool device_range_valid(struct device_range range, struct mesh_shape shape)
{
	return range.row0 <= range.row1 && range.column0 <= range.column1 &&
	       range.row1 < shape.rows && range.column1 < shape.columns;
}

/* Returns true if the range contains the device at (row, column). */
static inline bool device_range_has(struct device_range range, uint16_t row, uint16_t column)
{
	return row >= range.row0 && row <= range.row1 && column >= range.column0 &&
	       column <= range.column1;
}

/* Returns true if `outer` contains every device of `inner`. */
static inline bool device_range_covers(struct device_range outer, struct device_range inner)
{
	return device_range_has(outer, inner.row0, inner.column0) &&
	       device_range_has(outer, inner.row1, inner.column1);
}

/* Returns true if the two ranges share a device. */
static inline bool device_range_overlap(struct device_range a, struct device_range b)
{
	return a.row0 <= b.row1 && b.row0 <= a.row1 && a.column0 <= b.column1 &&
	       b.column0 <= a.column1;
}

/* Returns the devices that two ranges share. The ranges must overlap. */
static inline struct device_range device_range_shared(struct device_range a, struct device_range b)
{
	return (struct device_range){a.row0 > b.row0 ? a.row0 : b.row0,
		a.column0 > b.column0 ? a.column0 : b.column0, a.row1 < b.row1 ? a.row1 : b.row1,
		a.column1 < b.column1 ? a.column1 : b.column1};
}

/* A virtual mesh: a rectangle at an offset in the platform's physical mesh (spec 3.1.2, 3.1.3).
 * The rectangle must lie inside the physical mesh and must contain no holes. */

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
