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

/* The buffer's contents on the host (mesh_buffer_bytes()) from a tensor, and back. Charges copies:
 * shards cut out, then tilized. */
void mesh_tensor_pack(
	const struct mesh_tensor *tensor, const struct tensor_source *source, uint8_t *image);
void mesh_tensor_unpack(
	const struct mesh_tensor *tensor, const uint8_t *image, const struct tensor_sink *sink);

/* Writes or reads the tensor device by device, through enqueue_write_shard() and
 * enqueue_read_shard(), and returns when that is complete. The host holds the parts of
 * MESH_TENSOR_PARTS devices at a time, never the whole. Errors of those calls. */
enum { MESH_TENSOR_PARTS = 2 };
enum status mesh_tensor_write(struct command_queue *queue, struct mesh_tensor *tensor,
	const struct tensor_source *source);
enum status mesh_tensor_read(
	struct command_queue *queue, struct mesh_tensor *tensor, const struct tensor_sink *sink);

#endif
