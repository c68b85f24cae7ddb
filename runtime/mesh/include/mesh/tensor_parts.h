/* The parts of a tensor, for any handle (mesh/handle.h). Computes which shards the part of each
 * device holds, and converts one device's part at a time. */
#ifndef MESH_TENSOR_PARTS_H
#define MESH_TENSOR_PARTS_H

#include "layout/data/shard_data.h"
#include "layout/machine.h"
#include "memory/mesh_layout.h"
#include "mesh/config.h"
#include "layout/mapper.h"
#include "mesh/queue.h"

/* Writes and reads of tensors through a mesh mapper (layout/mapper.h). If the lowering is packed,
 * the host thread that builds a device's commands copies the device's block out of the tensor. The
 * thread that receives the device's data copies the block back into the tensor. So the cost of
 * splitting any dimension is part of the operation. The buffer must have been made with
 * lowering->config, for this mesh. */

struct mesh_mapped {
	const struct mapper_tensor *tensor;
	const struct mapper_lowering *lowering;
	struct mesh_buffer *buffer;
};

/* Write the tensor at `whole` (row-major, lowering->config.size_bytes), or read it into `whole`,
 * and return when the transfer is complete. Return OK or the errors of enqueue_write_buffer() and
 * enqueue_read_buffer(). */
enum status mesh_mapped_write(struct command_queue *queue, const struct mesh_mapped *mapped,
	const void *whole, uint32_t operation);
enum status mesh_mapped_read(struct command_queue *queue, const struct mesh_mapped *mapped,
	void *whole, uint32_t operation);

struct tensor_parts {
	struct layout layout;
	struct layout_machine machine;
	struct mesh_shape shape;
	uint64_t slot_bytes;	  /* size of a shard, in bytes of whole pages */
	uint64_t device_bytes;	  /* size of a device's part, in bytes */
	enum memory_kind scratch; /* kind of memory for the scalars of a shard during conversion */
	bool replicated;	  /* every device has the same part as the first device */
};

/* Computes the parts of a tensor, for a mesh of this shape and config with devices of this
 * geometry. Fills in *spread and *config, with which the caller then makes the buffer. Returns OK
 * or the errors of mesh_tensor_check(). */
enum status tensor_parts_init(struct tensor_parts *parts, const struct layout *layout,
	struct mesh_shape shape, const struct chip_geometry *geometry,
	const struct mesh_config *mesh, struct text *why, struct mesh_layout *spread,
	struct buffer_config *config);

/* Returns true if the device (in row-major order) holds a shard. */
bool tensor_parts_hold(const struct tensor_parts *parts, uint32_t device);

/* Returns the devices that a read waits for (mesh_tensor_read_range()). */
struct device_range tensor_parts_read_range(const struct tensor_parts *parts);

/* tensor_part_make() fills in `part`, the device_bytes bytes of one device, with data from the
 * source. tensor_part_take() gives the shards in `part` to the sink. If `part` is NULL, the bytes
 * are not simulated, and nothing is copied. Both functions charge the cost of the conversion. */
void tensor_part_make(const struct tensor_parts *parts, const struct tensor_source *source,
	uint32_t device, uint8_t *part);
void tensor_part_take(const struct tensor_parts *parts, const struct tensor_sink *sink,
	uint32_t device, const uint8_t *part);

#endif
