/* Completion records (spec 3.8.7), and the completion queues through which records reach the host.
 * Also defines struct gather, which contains the devices that record an event. */
#ifndef COMMAND_COMPLETION_H
#define COMMAND_COMPLETION_H

#include <stdint.h>
#include <stdbool.h>

#include "base/status.h"
#include "command/bytes.h"
#include "world/device.h"

/* The devices and the queue that record an event. An aggregator notifies the host when all these
 * devices have recorded the event (spec 3.11.2). The devices are a range of the mesh. gather_pack()
 * packs the range and the queue into 64 bits of a command or record. */

struct gather {
	uint8_t row0, column0, row1, column1; /* the corners belong to the range */
	uint8_t queue;
};

static inline uint64_t gather_pack(struct gather gather)
{
	return (uint64_t)gather.row0 | (uint64_t)gather.column0 << 8 | (uint64_t)gather.row1 << 16 |
	       (uint64_t)gather.column1 << 24 | (uint64_t)gather.queue << 32;
}

static inline struct gather gather_unpack(uint64_t packed)
{
	return (struct gather){(uint8_t)packed, (uint8_t)(packed >> 8), (uint8_t)(packed >> 16),
		(uint8_t)(packed >> 24), (uint8_t)(packed >> 32)};
}

/* Returns true if the device at (row, column) records the event on `queue`. */
static inline bool gather_has(struct gather gather, uint8_t row, uint8_t column, uint8_t queue)
{
	return queue == gather.queue && row >= gather.row0 && row <= gather.row1 &&
	       column >= gather.column0 && column <= gather.column1;
}

enum completion_kind {
	COMPLETION_NONE,
	COMPLETION_DATA,
	COMPLETION_DIRECT,
	COMPLETION_EVENT,
	COMPLETION_SLOT,
	COMPLETION_GATHERED,
	COMPLETION_KIND_COUNT
};

enum {
	COMPLETION_BYTES = 32, /* bytes of a header; data are aligned to the same number */
};

struct completion_record {
	enum completion_kind kind;
	uint16_t chip;
	uint32_t operation, tag, length;
	uint64_t address;
};

/* Writes a header. Decoding must accept the record. */
void completion_encode(const struct completion_record *record, uint8_t bytes[COMPLETION_BYTES]);

/* Reads a header. Returns OK. Returns INVALID if the kind is unknown or an unused field is not 0,
 * and OUT_OF_RANGE if the length is out of range. */
enum status completion_decode(
	const uint8_t bytes[COMPLETION_BYTES], struct completion_record *record);

/* Returns `length` rounded up to 32 B. */
static inline uint32_t completion_padded(uint32_t length)
{
	return (length + COMPLETION_BYTES - 1) & ~(uint32_t)(COMPLETION_BYTES - 1);
}

/* Returns the name of a kind, for example "DATA"; "?" for an unknown kind. */
const char *completion_kind_name(enum completion_kind kind);

/* A completion queue (spec, flow 6.2; spec 3.8.7) is a ring of completion records in pinned host
 * memory. A device first writes the bytes of records. Then it writes the write word, which counts
 * the units of 32 B written since the start and wraps around. Records may wrap around the end of
 * the ring; large records arrive in pieces. To free room, the host counts the units that it has
 * read, and writes this count to a word of the device. Only one thread at a time may read a
 * queue. */

struct completion_queue_config {
	struct cluster *cluster;
	const char *name;      /* name of the queue, for reports; copied */
	uint32_t ring_bytes;   /* size of the ring, a multiple of WINDOW_PAGE_BYTES */
	struct device *device; /* device of the dispatcher or dispatch_h; it must have PCIe */
	uint16_t tile;
	uint32_t read_word; /* address of the word on the device that counts the units that the host
			     * has read */
	enum wait_mode mode;
};

struct completion_queue; /* opaque */

/* Creates a queue: reserves the ring and the write word in the host window. Returns OK, and sets
 * *queue to the queue, which the caller owns. Returns NO_MEMORY if the window has no room. */
enum status completion_queue_new(
	const struct completion_queue_config *config, struct completion_queue **queue);

/* Frees the queue and its part of the host window. Must be called before the cluster is freed, and
 * after the last stage has stopped using the queue. NULL is allowed. */
void completion_queue_free(struct completion_queue *queue);

/* Return the host addresses of the ring and of the write word. They are needed to configure the
 * device. */
uint64_t completion_queue_ring(const struct completion_queue *queue);
uint64_t completion_queue_write_word(const struct completion_queue *queue);

/* Blocks until the next record has arrived, and removes its header from the queue. The data of the
 * previous record must have been read. Returns OK. Returns TIMEOUT if the deadline has passed, and
 * INVALID if the bytes are not a record. */
enum status completion_queue_next(
	struct completion_queue *queue, int64_t deadline_ns, struct completion_record *record);

/* Blocks until there is a next record, without taking it. Returns OK or TIMEOUT. */
enum status completion_queue_wait(struct completion_queue *queue, int64_t deadline_ns);

/* Like completion_queue_next(), but never blocks. Returns OK. Returns EMPTY if there is no record,
 * and INVALID if the bytes are not a record. Charges one WORK_POLL. */
enum status completion_queue_try(struct completion_queue *queue, struct completion_record *record);

/* Copies the next `length` bytes of the record's data to `out`. If `out` is NULL, skips the bytes.
 * Blocks until the bytes have arrived. Charges the copy from pinned memory to memory of kind `to`.
 * Returns OK. Returns TIMEOUT if the deadline has passed, and OUT_OF_RANGE if fewer bytes of the
 * record are left. If the bytes are not simulated, skips them and returns ELIDED. */
enum status completion_queue_read(struct completion_queue *queue, uint32_t length,
	int64_t deadline_ns, void *out, enum memory_kind to);

#endif
