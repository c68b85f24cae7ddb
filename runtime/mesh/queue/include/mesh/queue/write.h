/* Writes that the runtime itself enqueues. */
#ifndef MESH_QUEUE_WRITE_H
#define MESH_QUEUE_WRITE_H

#include "mesh/device/buffer.h"
#include "mesh/queue/job.h"

/* Writes a replica of `images` (from malloc, mesh_buffer_bytes(); freed when it has been sent) to
 * the devices of a range. */
void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images);

#endif
