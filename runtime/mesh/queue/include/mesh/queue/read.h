/* A read under way: what the records of its lanes are, and where their bytes go on the host. */
#ifndef MESH_QUEUE_READ_H
#define MESH_QUEUE_READ_H

#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/buffer.h"
#include "mesh/device/host_memory.h"
#include "mesh/queue/job.h"

/* Where data go that no memory takes whole: each device's part is handed over when it is there, by
 * the host thread that received it, several at once if several do. */
struct read_taker {
	bool (*holds)(const void *context, uint32_t device); /* whether there is a part of it */
	/* Charges its work. `part` has mesh_buffer_device_bytes(); NULL: elided, charge only. */
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
	const struct read_taker *taker; /* of the data, or NULL; gone when all have their part */
	bool *held; /* [device], whether there is a part of it; threads may ask later than that */
	enum memory_kind to;	    /* what kind of memory that is */
	struct host_memory *memory; /* pinned memory that it is for, or NULL */
	uint64_t offset;	    /* in that */
	uint8_t *owned;	      /* what the host stores into pinned memory at the end, or NULL */
	uint32_t records;     /* of each lane if devices write pinned memory themselves, else 0 */
	uint32_t address;     /* of the buffer on every device */
	uint32_t sub_devices; /* whose workers may use it, a bit each */
	uint32_t before;      /* the first event that may be recorded after it */
	uint32_t remaining;   /* lanes whose data are not here; under mesh->completed */
	uint32_t references;  /* atomic */
	enum status status;   /* worst so far; under mesh->completed */
};

/* Pages that one command and one record take at most: a device's part may be larger. */
uint32_t read_piece_pages(const struct placement *placement);

/* Bytes of one device's records in a completion queue, headers and padding included. */
uint64_t read_record_bytes(const struct read *read);

/* Takes the lane's next records, which must be this read's, and stores their data. Blocks until all
 * of it is there. On the last lane marks SEEN and wakes who waits for it; gives up one reference.
 */
void read_receive(struct read *read, struct lane *lane);

/* For a record that is not the lane's next one: a bug; but where the mesh reports faults, because a
 * row was chosen that keeps no order, the fault of a reader, which halts: does not return. */
_Noreturn void read_halt(const struct lane *lane, const struct completion_record *record,
	enum status status, const char *expected);

/* enqueue_read_buffer() to such a taker, blocking. */
enum status read_taken(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct read_taker *taker, uint32_t operation);

/* Where what such a job expects goes, which again() of a captured read has made. */
void read_job_to(struct job *job, void *data);

/* Gives up a reference. */
void read_release(struct read *read);

#endif
