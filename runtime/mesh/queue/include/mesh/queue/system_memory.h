/* Writes and reads of buffers in system memory: copies by the host between the user's memory and
 * the host window, after everything that the queue was sent (mesh/queue.h). They cannot be
 * captured. */
#ifndef MESH_QUEUE_SYSTEM_MEMORY_H
#define MESH_QUEUE_SYSTEM_MEMORY_H

#include "mesh/device/buffer.h"
#include "mesh/device/device.h"

/* Each is a complete call of mesh/queue.h, with the statuses stated there. `data` has
 * mesh_buffer_bytes(). */
enum status system_memory_write(struct command_queue *queue, const struct mesh_buffer *buffer,
	const void *data, uint32_t operation);
enum status system_memory_read(struct command_queue *queue, const struct mesh_buffer *buffer,
	void *data, uint32_t operation);

#endif
