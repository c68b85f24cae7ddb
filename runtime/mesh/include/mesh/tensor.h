/* Mesh tensors: a mesh buffer together with the layout of its contents (spec 5.1.1, 3). The leading
 * dimensions of the layout's grid are distributed over the devices of the mesh. If the grid has two
 * dimensions or fewer, the tensor is replicated on every device. On a device, each shard begins at
 * the address that the layout gives, rounded up to whole pages. Programs see only a buffer, so a
 * workload that was compiled once runs on the whole mesh. Layouts in host memory, and grids that
 * exceed the mesh, the worker grid or the banks, are errors. */
#ifndef MESH_TENSOR_H
#define MESH_TENSOR_H

#include "layout/data/convert.h"
#include "layout/machine.h"
#include "layout/mapper.h"
#include "memory/mesh_layout.h"
#include "mesh/config.h"
#include "mesh/queue.h"

struct mesh_tensor; /* opaque */

/* Allocates the tensor on every device. Returns OK, and the caller owns *tensor. After any other
 * status, `why` (may be NULL) has a sentence. Returns OUT_OF_RANGE if the grid is too large.
 * Returns INVALID if the layout is in host memory, or if elements cannot be converted to the
 * element type of the shards (the memref). Also returns the errors of mesh_buffer_new(). */
enum status mesh_tensor_new(struct mesh_device *mesh, const struct layout *layout, struct text *why,
	struct mesh_tensor **tensor);

/* Frees the tensor and its memory. No operation may still be using it. NULL is allowed. */
void mesh_tensor_free(struct mesh_tensor *tensor);

/* Checks, before anything runs, whether a mesh of this shape, with devices of this geometry, can
 * hold the layout. Returns OK, or the errors of mesh_tensor_new() that do not concern free
 * memory. */
enum status mesh_tensor_check(const struct layout *layout, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct text *why);

const struct layout *mesh_tensor_layout(const struct mesh_tensor *tensor);

/* Returns the buffer of the tensor. Programs work on this buffer. Callers can also write and read
 * the converted bytes through it. */
struct mesh_buffer *mesh_tensor_buffer(const struct mesh_tensor *tensor);

/* Write or read the tensor on all devices, and return when the transfer is complete. The host never
 * holds the whole converted tensor: each host thread that builds commands or receives data holds
 * the part of one device at a time (mesh_buffer_device_bytes()). The thread cuts out and tilizes
 * this part when it needs the part, and charges the work to the operation. If the mesh has several
 * host threads (runtime.host), they may call the functions of a source or sink at the same time. If
 * the buffer has more than elide_above_bytes (mesh/queue.h) per device, the functions of the source
 * or sink are not called. The work is still charged, and mesh_tensor_read() returns ELIDED. While a
 * trace is captured, both functions return INVALID. */
enum status mesh_tensor_write(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_source *source, uint32_t operation);
enum status mesh_tensor_read(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_sink *sink, uint32_t operation);

/* Returns the devices that mesh_tensor_read() waits for: a rectangle that begins with the first
 * device. Everything that the queue sent to these devices before is complete when the read returns.
 * A read does not wait for devices without a shard. */
struct device_range mesh_tensor_read_range(const struct mesh_tensor *tensor);

/* Writes and reads of tensors that a mesh mapper divides among devices (layout/mapper.h). If
 * lowering->packed is set, host threads copy each device's block. The thread that builds a device's
 * commands copies the block out of the tensor; the thread that receives the device's data copies it
 * back. So the cost of splitting is part of the operation. The buffer must have been made with
 * lowering->config, for this mesh. */

struct mesh_mapped {
	const struct mapper_tensor *tensor;
	const struct mapper_lowering *lowering;
	struct mesh_buffer *buffer;
};

/* Write the tensor at `whole` (row-major, lowering->config.size_bytes bytes), or read it into
 * `whole`, and return when the transfer is complete. Return OK or the errors of
 * enqueue_write_buffer() and enqueue_read_buffer(). */
enum status mesh_mapped_write(struct command_queue *queue, const struct mesh_mapped *mapped,
	const void *whole, uint32_t operation);
enum status mesh_mapped_read(struct command_queue *queue, const struct mesh_mapped *mapped,
	void *whole, uint32_t operation);

/* The parts of a tensor, one for each device. They can be used with every kind of handle
 * (mesh/handle.h). The functions below find the shards in each device's part, and convert one
 * device's part at a time. */
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
 * geometry. Fills in *spread and *config, with which the caller then makes the buffer. Returns OK,
 * an error of mesh_tensor_check(), or OUT_OF_RANGE if a device would hold too many pages. */
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
