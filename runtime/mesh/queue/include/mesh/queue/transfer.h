/* Writes and reads of buffers: reads under way, writes that the runtime itself enqueues, and
 * copies of system memory by the host. */
#ifndef MESH_QUEUE_TRANSFER_H
#define MESH_QUEUE_TRANSFER_H

#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/buffer.h"
#include "mesh/device/buffer.h"
#include "mesh/queue/job.h"
#include "mesh/device/device.h"

/* A read under way: the records that its lanes return, and the destination of their bytes on the
 * host. */

/* Receiver of data that are never in memory as a whole: the host thread that received a device's
 * part hands it over. Several threads may do so at once. */
struct read_taker {
	/* true if there is a part of the device */
	bool (*holds)(const void *context, uint32_t device);
	/* Charges its work. `part` has mesh_buffer_device_bytes(); NULL: elided, only charge. */
	void (*take)(const void *context, uint32_t device, const uint8_t *part);
	const void *context;
};

struct read {
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation;
	struct placement placement;
	struct mesh_spread spread;
	bool local;			/* `data` is one device's part, not the whole buffer */
	uint8_t *data;			/* host memory of the user, or `owned` */
	const struct read_taker *taker; /* receiver of the data, or NULL; invalid after every
					 * device's part was taken */
	bool *held; /* [device], true if there is a part of it; kept because threads may ask after
		     * `taker` is gone */
	enum memory_kind to;	    /* kind of the destination memory */
	struct host_memory *memory; /* destination in pinned memory, or NULL */
	uint64_t offset;	    /* in `memory` */
	uint8_t *owned;	      /* data that the host copies into pinned memory at the end, or NULL */
	uint32_t records;     /* of each lane if devices write pinned memory themselves, else 0 */
	uint32_t address;     /* of the buffer on every device */
	uint32_t sub_devices; /* whose workers may use the buffer, a bit each */
	uint32_t before;      /* the first event that may be recorded after it */
	uint32_t remaining;   /* lanes without their data yet; under mesh->completed */
	uint32_t references;  /* atomic */
	enum status status;   /* worst so far; under mesh->completed */
};

/* Maximum number of pages of one command and one record; a device's part may have more. */
uint32_t read_piece_pages(const struct placement *placement);

/* Bytes of one device's records in a completion queue, headers and padding included. */
uint64_t read_record_bytes(const struct read *read);

/* Takes the lane's next records, which must belong to this read, and stores their data. Blocks
 * until all of them have arrived. For the last lane, marks SEEN and wakes waiting threads. Releases
 * one reference. */
void read_receive(struct read *read, struct lane *lane);

/* Reports a record that is not the lane's next one; does not return. Normally that is a bug. If the
 * mesh reports faults, because a row without ordering was chosen, it is a fault of the reader,
 * which halts. */
_Noreturn void read_halt(const struct lane *lane, const struct completion_record *record,
	enum status status, const char *expected);

/* enqueue_read_buffer() to a taker, blocking. */
enum status read_taken(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct read_taker *taker, uint32_t operation);

/* Sets the destination of a job that again() made from a captured read. */
void read_job_to(struct job *job, void *data);

/* Releases a reference. */
void read_release(struct read *read);

/* Writes that the runtime itself enqueues. */

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

/* Writes and reads of buffers in system memory: copies by the host between the user's memory and
 * the host window, after everything that the queue was sent (mesh/queue.h). They cannot be
 * captured. */

/* Each is a complete call of mesh/queue.h, with the statuses stated there. `data` has
 * mesh_buffer_bytes(). */
enum status system_memory_write(struct command_queue *queue, const struct mesh_buffer *buffer,
	const void *data, uint32_t operation);
enum status system_memory_read(struct command_queue *queue, const struct mesh_buffer *buffer,
	void *data, uint32_t operation);

#endif
