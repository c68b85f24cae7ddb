/* Writes and reads of buffers: the state of reads in progress, writes that the runtime itself
 * enqueues, and writes and reads of system memory, which the host copies. */
#ifndef MESH_QUEUE_TRANSFER_H
#define MESH_QUEUE_TRANSFER_H

#include "command/stream.h"
#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "mesh/buffer.h"
#include "mesh/device/buffer.h"
#include "mesh/queue/job.h"
#include "mesh/device/device.h"

/* Reads in progress: the records that their lanes will return, and the destination on the host. */

/* Receives the data of a read, one device's part at a time, so that the whole data are never in
 * memory. The host thread that has received a device's part calls take() for the part. Several
 * threads may call take() at the same time. */
struct read_taker {
	/* returns true if the device has a part */
	bool (*holds)(const void *context, uint32_t device);
	/* Receives a device's part (mesh_buffer_device_bytes() bytes) and charges the work. If
	 * `part` is NULL, the data are not simulated, and the function only charges the work. */
	void (*take)(const void *context, uint32_t device, const uint8_t *part);
	const void *context;
};

struct read {
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation;
	struct placement placement;
	struct mesh_spread spread;
	struct page_range pages; /* pages of each device's part that are read */
	bool local;		 /* `data` is one device's part, not the whole buffer */
	uint8_t *data;		 /* memory of the user on the host, or `owned` */
	/* the object that receives the data, or NULL; must not be used after the parts of all
	 * devices were given to it */
	const struct read_taker *taker;
	/* [device] true if the device has a part. A copy of what taker->holds() returned: threads
	 * may need it after `taker` is freed */
	bool *held;
	enum memory_kind to;	    /* kind of the destination memory */
	struct host_memory *memory; /* destination in pinned memory, or NULL */
	uint64_t offset;	    /* offset in `memory` */
	uint8_t *owned; /* data that the host copies into pinned memory at the end, or NULL */
	/* number of records for each lane, if devices write their data to pinned memory themselves;
	 * otherwise 0 */
	uint32_t records;
	uint32_t address;     /* address of the buffer, the same on every device */
	uint32_t sub_devices; /* sub-devices whose workers may use the buffer, one bit each */
	uint32_t before;      /* the first event that may be recorded after this read */
	/* number of lanes whose data have not arrived; guarded by the monitor mesh->completed */
	uint32_t remaining;
	uint32_t references; /* number of references; atomic */
	enum status status;  /* the worst status so far; protected by mesh->completed */
};

/* Returns the largest number of pages that one command reads and one record returns. If a device's
 * part has more pages, several commands read it. */
uint32_t read_piece_pages(const struct placement *placement);

/* Returns the size of one device's records in a completion queue, with headers and padding. */
uint64_t read_record_bytes(const struct read *read);

/* Takes the next records from the completion queue of one device (lane), and stores their data. The
 * records must belong to this read. Blocks until all records of the read have arrived from this
 * device. If this is the last device of the read, records the mark SEEN and wakes waiting threads.
 * Releases one reference to the read. */
void read_receive(struct read *read, struct lane *lane);

/* Called when a lane's next record is not the expected one. This is a bug, unless the ordering is
 * `none`. Never returns. If mesh_config.faults is NULL, ends the process. Otherwise reports a
 * FAULT_RECORD of the reader, and the calling thread waits for ever. */
_Noreturn void read_halt(const struct lane *lane, const struct completion_record *record,
	enum status status, const char *expected);

/* Reads like enqueue_read_buffer(), but passes the data to `taker`. Always blocks. */
enum status read_taken(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct read_taker *taker, uint32_t operation);

/* Sets the destination of a job that a captured read's again() has made. */
void read_job_to(struct job *job, void *data);

/* Releases a reference. */
void read_release(struct read *read);

struct buffer_region;

/* region_check() sets *range to the devices of the region, and returns OK. It returns OUT_OF_RANGE
 * if the region has no pages, or is not within the buffer and the mesh. It returns UNSUPPORTED for
 * buffers in system memory. region_bytes() returns the number of bytes of the user's data that the
 * region contains. */
enum status region_check(const struct mesh_device *mesh, const struct mesh_buffer *buffer,
	const struct buffer_region *region, struct device_range *range);
uint64_t region_bytes(const struct mesh_buffer *buffer, const struct buffer_region *region);

/* Writes that the runtime itself enqueues. */

/* Writes `images` (mesh_buffer_bytes() bytes, from malloc) to every device of a range. Frees
 * `images` after the data are sent. */
void write_binaries(struct command_queue *queue, struct mesh_buffer *buffer,
	struct device_range range, uint8_t *images);

/* Makes the data of a write, one device's part at a time, so that the whole data are never in
 * memory. The host thread that builds a device's commands calls make() for the device's part.
 * Several threads may call make() at the same time. */
struct write_maker {
	/* returns true if there is a part for the device */
	bool (*holds)(const void *context, uint32_t device);
	/* Fills in a device's part (mesh_buffer_device_bytes() bytes) and charges the work. If
	 * `part` is NULL, the data are not simulated, and the function only charges the work. */
	void (*make)(const void *context, uint32_t device, uint8_t *part);
	const void *context; /* must stay valid until the write is complete */
};

/* Like enqueue_write_buffer(), but always blocks, and writes data that `maker` makes. If the buffer
 * is replicated and all devices share the same commands, `maker` makes the data once, for the first
 * device. Otherwise `maker` makes the data of each device. */
enum status write_made(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct write_maker *maker, uint32_t operation);

/* Writes and reads of buffers in system memory. When everything that was sent to the queue is
 * complete, the host copies between the user's memory and the host window (mesh/queue.h). A trace
 * cannot capture these calls. */

/* Each function acts like the corresponding call of mesh/queue.h and returns the same statuses.
 * `data` has mesh_buffer_bytes() bytes. */
enum status system_memory_write(struct command_queue *queue, const struct mesh_buffer *buffer,
	const void *data, uint32_t operation);
enum status system_memory_read(struct command_queue *queue, const struct mesh_buffer *buffer,
	void *data, uint32_t operation);

/* The commands that write one device's part of a buffer. */

/* The size of the largest page that one command writes as a whole. The page and the commands before
 * it fit into one segment after a ROUTE command (submit.c). Larger pages are written in parts of
 * this size. The size is a multiple of 4096, so the parts are aligned like whole pages. */
enum { PAGE_WHOLE_MAX = PREFETCH_SEGMENT_MAX / 4096 * 4096 };

/* Returns true if commands that write or read the pages contain tile numbers. For interleaved
 * pages, commands contain tile numbers only if a page is too large for one command. */
bool pages_name_tiles(const struct placement *placement);

/* The pages to write. On the host they are contiguous. */
struct page_source {
	const struct placement *placement;
	/* the pages to write; `data` and `pinned` begin with the first page of the device's part,
	 * not with the first page to write */
	struct page_range pages;
	uint32_t address;    /* address of the buffer on the device */
	const uint8_t *data; /* ignored if `elided` or `pinned` */
	bool elided;	     /* the bytes are not simulated */
	enum memory_kind from;
	/* address in the host window from which the device itself reads the pages; 0: the host
	 * copies the pages */
	uint64_t pinned;
	/* maximum size in bytes of a command with its data, which the issue queue limits */
	uint32_t entry_bytes;
};

/* Appends the commands that write the pages. Copies the pages before it returns, unless `pinned` is
 * set. */
void write_pages(struct command_stream *stream, const struct page_source *source);

#endif
