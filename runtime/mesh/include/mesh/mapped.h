/* Tensors on their way through a mesh mapper (layout/mapper.h). Where its lowering is packed, each
 * device's block is copied out of the tensor, or back into it, by the host thread that builds that
 * device's commands, or receives its data: the cost of splitting any dimension is a part of the
 * operation. Refuses nothing: the buffer was made of lowering->config, for this mesh. */
#ifndef MESH_MAPPED_H
#define MESH_MAPPED_H

#include "layout/mapper.h"
#include "mesh/queue.h"

struct mesh_mapped {
	const struct mapper_tensor *tensor;
	const struct mapper_lowering *lowering;
	struct mesh_buffer *buffer;
};

/* Writes the tensor at `whole` (row-major, lowering->config.size_bytes), or reads it back, and
 * returns when that is complete. Errors of enqueue_write_buffer() and enqueue_read_buffer(). */
enum status mesh_mapped_write(struct command_queue *queue, const struct mesh_mapped *mapped,
	const void *whole, uint32_t operation);
enum status mesh_mapped_read(struct command_queue *queue, const struct mesh_mapped *mapped,
	void *whole, uint32_t operation);

#endif
