/* A tensor as the parts of its devices: the buffer that a mesh tensor (mesh/tensor.h) occupies, the
 * devices that hold a part of it, and functions to make and take each part singly. For callers that
 * write to devices of another process: a mesh tensor on those devices has the same bytes at the
 * same places. */
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
	uint64_t device_bytes;	  /* of a device's part */
	enum memory_kind scratch; /* memory for scalars of a shard while it is converted */
	bool replicated;	  /* every device has the same part as the first */
};

/* Computes the parts of a tensor on a mesh of this shape and config, with devices of this geometry,
 * and fills *spread and *config for the buffer that the caller then makes. Errors of
 * mesh_tensor_check(). */
enum status tensor_parts_init(struct tensor_parts *parts, const struct layout *layout,
	struct mesh_shape shape, const struct chip_geometry *geometry,
	const struct mesh_config *mesh, struct text *why, struct mesh_layout *spread,
	struct buffer_config *config);

/* Returns true if the device (in row-major order) holds a shard. */
bool tensor_parts_hold(const struct tensor_parts *parts, uint32_t device);

/* The same as mesh_tensor_read_range(). */
struct device_range tensor_parts_read_range(const struct tensor_parts *parts);

/* Fill a device's part (device_bytes), or hand its shards to the sink. `part` NULL: elided. Charge
 * the cost. */
void tensor_part_make(const struct tensor_parts *parts, const struct tensor_source *source,
	uint32_t device, uint8_t *part);
void tensor_part_take(const struct tensor_parts *parts, const struct tensor_sink *sink,
	uint32_t device, const uint8_t *part);

#endif
