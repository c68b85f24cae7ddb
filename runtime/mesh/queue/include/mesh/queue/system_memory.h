/* Writes and reads of buffers in system memory: the host's own copies between the user's memory and
 * the host window, behind everything that the queue was sent (mesh/queue.h). Refuses to be
 * captured.
 */
#ifndef MESH_QUEUE_SYSTEM_MEMORY_H
#define MESH_QUEUE_SYSTEM_MEMORY_H

#include "mesh/device/buffer.h"
#include "mesh/device/device.h"

/* The frame and statuses of a call of mesh/queue.h. `data` has mesh_buffer_bytes(). */
enum status system_memory_write(struct command_queue *queue, const struct mesh_buffer *buffer,
	const void *data, uint32_t operation);
enum status system_memory_read(struct command_queue *queue, const struct mesh_buffer *buffer,
	void *data, uint32_t operation);

#endif
