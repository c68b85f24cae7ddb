/* A tensor as the parts of its devices: the buffer that a mesh tensor (mesh/tensor.h) lies in,
 * which devices hold a part of it, and the part of each, made and taken apart one by one. For who
 * writes to devices of others: a mesh tensor of these devices has the same bytes at the same
 * places. */
#ifndef MESH_TENSOR_PARTS_H
#define MESH_TENSOR_PARTS_H

#include "layout/data/shard_data.h"
#include "layout/machine.h"
#include "memory/mesh_layout.h"
#include "mesh/config.h"

struct tensor_parts {
	struct layout layout;
	struct layout_machine machine;
	struct mesh_shape shape;
	uint64_t slot_bytes;	  /* of a shard, in whole pages */
	uint64_t device_bytes;	  /* of a part */
	enum memory_kind scratch; /* where scalars of a shard lie between two looks at them */
	bool replicated;	  /* every device has the part of the first */
};

/* The parts of a tensor on a mesh of this shape and config, with devices of this geometry; and the
 * buffer that holds them, to be made by the caller. Errors of mesh_tensor_check(). */
enum status tensor_parts_init(struct tensor_parts *parts, const struct layout *layout,
	struct mesh_shape shape, const struct chip_geometry *geometry,
	const struct mesh_config *mesh, struct text *why, struct mesh_layout *spread,
	struct buffer_config *config);

/* Whether a device (in row-major order) holds a shard at all. */
bool tensor_parts_hold(const struct tensor_parts *parts, uint32_t device);

/* As mesh_tensor_read_range(). */
struct device_range tensor_parts_read_range(const struct tensor_parts *parts);

/* Fills a device's part (device_bytes), or hands its shards over. NULL: elided. Charges what it
 * costs. */
void tensor_part_make(const struct tensor_parts *parts, const struct tensor_source *source,
	uint32_t device, uint8_t *part);
void tensor_part_take(const struct tensor_parts *parts, const struct tensor_sink *sink,
	uint32_t device, const uint8_t *part);

#endif
