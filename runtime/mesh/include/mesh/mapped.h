/* Writes and reads of tensors through a mesh mapper (layout/mapper.h). With a packed lowering, the
 * host thread that builds a device's commands copies that device's block out of the tensor, and the
 * thread that receives its data copies it back. So the operation includes the cost of splitting any
 * dimension. The buffer must be made of lowering->config, for this mesh. */
#ifndef MESH_MAPPED_H
#define MESH_MAPPED_H

#include "layout/mapper.h"
#include "mesh/queue.h"

struct mesh_mapped {
	const struct mapper_tensor *tensor;
	const struct mapper_lowering *lowering;
	struct mesh_buffer *buffer;
};

/* Write the tensor at `whole` (row-major, lowering->config.size_bytes), or read it back, and return
 * when that is complete. Errors of enqueue_write_buffer() and enqueue_read_buffer(). */
enum status mesh_mapped_write(struct command_queue *queue, const struct mesh_mapped *mapped,
	const void *whole, uint32_t operation);
enum status mesh_mapped_read(struct command_queue *queue, const struct mesh_mapped *mapped,
	void *whole, uint32_t operation);

#endif
