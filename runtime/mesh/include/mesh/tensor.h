/* Mesh tensors: a handle over a mesh buffer with the layout of what is in it (spec 5.1.1, 3).
 * Leading dimensions of the layout's grid are devices of the mesh; a layout whose grid has two
 * dimensions or fewer is replicated on every device. On a device, each shard of the grid begins at
 * the address that the layout says, rounded up to whole pages. Programs see no more than a buffer:
 * one workload, compiled once, serves the mesh. Refuses layouts in host memory, and grids that the
 * mesh, the worker grid or the banks do not have. */
#ifndef MESH_TENSOR_H
#define MESH_TENSOR_H

#include "layout/data/shard_data.h"
#include "mesh/queue.h"

struct mesh_tensor; /* opaque */

/* Allocates the tensor on every device. On OK the caller owns *tensor. Errors, with a sentence in
 * `why` (may be NULL): INVALID (host memory, elements that cannot be turned into the memref's),
 * OUT_OF_RANGE (grid), and those of mesh_buffer_new(). */
enum status mesh_tensor_new(struct mesh_device *mesh, const struct layout *layout, struct text *why,
	struct mesh_tensor **tensor);

/* Gives the memory back. No operation that uses it may be under way. NULL is allowed. */
void mesh_tensor_free(struct mesh_tensor *tensor);

/* Whether a mesh of this shape, with devices of this geometry, can hold the layout: the same errors
 * but for those of memory. For checks before anything runs. */
enum status mesh_tensor_check(const struct layout *layout, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct text *why);

const struct layout *mesh_tensor_layout(const struct mesh_tensor *tensor);

/* The buffer below, for programs and for writes and reads of an image. */
struct mesh_buffer *mesh_tensor_buffer(const struct mesh_tensor *tensor);

/* Writes or reads the tensor on all devices and returns when that is complete. The host has no
 * image of it: each host thread that builds commands, or receives data, has the part of one device
 * (mesh_buffer_device_bytes()) at a time, cut out and tilized there and then, which is charged as a
 * part of the operation. So the functions of a source or sink are called by several threads at once
 * if the mesh has several (runtime.host). Above elide_above_bytes (mesh/queue.h) they are not
 * called, the work is charged, and reading is ELIDED. INVALID while a trace is captured. */
enum status mesh_tensor_write(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_source *source, uint32_t operation);
enum status mesh_tensor_read(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_sink *sink, uint32_t operation);

/* Devices that mesh_tensor_read() waits for, as far as they are a rectangle from the first device
 * on: what its queue sent to these before it is complete. Devices without a shard are not waited
 * for. */
struct device_range mesh_tensor_read_range(const struct mesh_tensor *tensor);

#endif
