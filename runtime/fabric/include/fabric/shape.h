/* Shapes of meshes, and positions in meshes (spec 3.1.2). Row 0 and column 0 are at the upper left.
 * The index of a device in its mesh is row * columns + column. */
#ifndef FABRIC_SHAPE_H
#define FABRIC_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
