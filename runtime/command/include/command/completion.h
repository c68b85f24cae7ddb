/* Completion records (spec 3.8.7), the completion queues that bring records to the host, and struct
 * gather, which names the devices that record an event. */
#ifndef COMMAND_COMPLETION_H
#define COMMAND_COMPLETION_H

#include <stdint.h>
#include <stdbool.h>

#include "base/status.h"
#include "command/bytes.h"
#include "world/device.h"

/* The devices and the queue that record an event for which an aggregator notifies the host (spec
 * 3.11.2): a device range of the mesh, and a command queue. gather_pack() packs both into 64 bits
 * of a command or record. */

struct gather {
	uint8_t row0, column0, row1, column1; /* ends included */
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

/* True if the device at (row, column) records the event on `queue`. */
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
	COMPLETION_BYTES = 32, /* header size, and alignment of data */
};

struct completion_record {
	enum completion_kind kind;
	uint16_t chip;
	uint32_t operation, tag, length;
	uint64_t address;
};

/* Writes a header. A record that decoding would reject is a bug. */
void completion_encode(const struct completion_record *record, uint8_t bytes[COMPLETION_BYTES]);

/* Reads a header. Returns OK, INVALID (kind, unused fields) or OUT_OF_RANGE (length). */
enum status completion_decode(
	const uint8_t bytes[COMPLETION_BYTES], struct completion_record *record);

/* `length` rounded up to 32 B. */
static inline uint32_t completion_padded(uint32_t length)
{
	return (length + COMPLETION_BYTES - 1) & ~(uint32_t)(COMPLETION_BYTES - 1);
}

/* Returns a name such as "DATA", or "?" for an unknown kind. */
const char *completion_kind_name(enum completion_kind kind);

/* A completion queue (spec flow 6.2, spec 3.8.7) is a ring of completion records in pinned host
 * memory. A device first writes the bytes of records. Then it writes the write word, which counts
 * the units of 32 B written since the start and wraps. Records may wrap around the ring's end;
 * large records arrive in pieces. The host frees room by posting the count of units read to a word
 * of the device. Only one thread may read a queue at a time. */

struct completion_queue_config {
	struct cluster *cluster;
	const char *name;      /* for reports; copied */
	uint32_t ring_bytes;   /* multiple of WINDOW_PAGE_BYTES */
	struct device *device; /* has PCIe; chip of the dispatcher or dispatch_h */
	uint16_t tile;
	uint32_t read_word; /* address of its word for the count of units read */
	enum wait_mode mode;
};

struct completion_queue; /* opaque */

/* Creates a queue: reserves the ring and the write word in the host window. Returns OK, and in
 * *queue the queue, which the caller owns; or returns NO_MEMORY. */
enum status completion_queue_new(
	const struct completion_queue_config *config, struct completion_queue **queue);

/* Frees the queue and its part of the host window. Call it before the cluster is freed, when no
 * stage uses the queue any more. NULL is allowed. */
void completion_queue_free(struct completion_queue *queue);

/* Host addresses of the ring and of the write word, for the device's configuration. */
uint64_t completion_queue_ring(const struct completion_queue *queue);
uint64_t completion_queue_write_word(const struct completion_queue *queue);

/* Blocks until the next record has arrived, and takes the header of that record. The data of the
 * previous record must have been read. Returns OK, TIMEOUT, or INVALID if the bytes are not a
 * record. */
enum status completion_queue_next(
	struct completion_queue *queue, int64_t deadline_ns, struct completion_record *record);

/* Blocks until there is a next record, without taking it. Returns OK or TIMEOUT. */
enum status completion_queue_wait(struct completion_queue *queue, int64_t deadline_ns);

/* Like completion_queue_next(), but never blocks. Returns OK, EMPTY if there is no record, or
 * INVALID if the bytes are not a record. Charges one WORK_POLL. */
enum status completion_queue_try(struct completion_queue *queue, struct completion_record *record);

/* Copies the next `length` bytes of the record's data to `out`, or skips the bytes if `out` is
 * NULL. Blocks until the bytes have arrived. Charges the copy from pinned memory to `to`. Returns
 * OK, TIMEOUT, ELIDED (the bytes are not simulated and were skipped), or OUT_OF_RANGE if the record
 * has fewer bytes left. */
enum status completion_queue_read(struct completion_queue *queue, uint32_t length,
	int64_t deadline_ns, void *out, enum memory_kind to);

#endif
