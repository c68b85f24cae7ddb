/* Writes that the runtime itself enqueues. */
#ifndef MESH_QUEUE_WRITE_H
#define MESH_QUEUE_WRITE_H

#include "mesh/device/buffer.h"
#include "mesh/queue/job.h"

/* Writes a replica of `images` (from malloc, mesh_buffer_bytes(); freed when it has been sent) to
 * the devices of a range. */
void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images);

/* Data that no memory holds whole: each device's part is made when its commands are built, by the
 * host thread that builds them, several at once if several do. */
struct write_maker {
	bool (*holds)(const void *context, uint32_t device); /* whether there is a part for it */
	/* Charges its work. `part` has mesh_buffer_device_bytes(); NULL: elided, charge only. */
	void (*make)(const void *context, uint32_t device, uint8_t *part);
	const void *context; /* valid until the write is complete */
};

/* enqueue_write_buffer() of such data, blocking. A replicated buffer's part is made for the first
 * device, or by every thread that builds commands of its own. */
enum status write_made(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct write_maker *maker, uint32_t operation);

#endif
