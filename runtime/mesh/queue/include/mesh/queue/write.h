/* Writes that the runtime itself enqueues. */
#ifndef MESH_QUEUE_WRITE_H
#define MESH_QUEUE_WRITE_H

#include "mesh/device/buffer.h"
#include "mesh/queue/job.h"

/* Writes a replica of `images` (from malloc, mesh_buffer_bytes(); freed after it was sent) to the
 * devices of a range. */
void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images);

/* Source of data that are never in memory as a whole: the host thread that builds a device's
 * commands makes that device's part. Several threads may do so at once. */
struct write_maker {
	/* true if there is a part for the device */
	bool (*holds)(const void *context, uint32_t device);
	/* Charges its work. `part` has mesh_buffer_device_bytes(); NULL: elided, only charge. */
	void (*make)(const void *context, uint32_t device, uint8_t *part);
	const void *context; /* valid until the write is complete */
};

/* enqueue_write_buffer() of made data, blocking. A replicated buffer's part is made for the first
 * device, or by every thread that builds its own commands. */
enum status write_made(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct write_maker *maker, uint32_t operation);

#endif
