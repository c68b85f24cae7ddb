/* Completion queues (spec flow 6.2, spec 3.8.7): a ring of completion records in pinned host
 * memory. A device writes the records' bytes first, then the write word, which counts the units of
 * 32 B written since the start and wraps. Records may wrap around the ring's end; large ones arrive
 * in pieces. The host frees room by posting the count of units read to a word of the device. One
 * reader thread at a time. */
#ifndef COMMAND_COMPLETION_QUEUE_H
#define COMMAND_COMPLETION_QUEUE_H

#include <stdint.h>

#include "command/completion.h"
#include "world/device.h"

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

/* Reserves ring and write word in the host window. On OK the caller owns *queue. NO_MEMORY. */
enum status completion_queue_new(
	const struct completion_queue_config *config, struct completion_queue **queue);

/* Frees the queue and its part of the host window. Call it before the cluster is freed, when no
 * stage uses the queue any more. NULL is allowed. */
void completion_queue_free(struct completion_queue *queue);

/* Host addresses of ring and write word: for the device's config. */
uint64_t completion_queue_ring(const struct completion_queue *queue);
uint64_t completion_queue_write_word(const struct completion_queue *queue);

/* Takes the next record's header; blocks until there is one. The data of the previous record must
 * have been read. OK, TIMEOUT, or INVALID if the bytes are not a record. */
enum status completion_queue_next(
	struct completion_queue *queue, int64_t deadline_ns, struct completion_record *record);

/* Blocks until there is a next record, without taking it. OK or TIMEOUT. */
enum status completion_queue_wait(struct completion_queue *queue, int64_t deadline_ns);

/* Takes a record without blocking: EMPTY if there is none. Charges one WORK_POLL. */
enum status completion_queue_try(struct completion_queue *queue, struct completion_record *record);

/* Copies the next `length` bytes of the record's data to `out`, or drops them if `out` is NULL;
 * blocks until they have arrived. Charges the copy from pinned memory to `to`. OK, TIMEOUT, ELIDED
 * (they are skipped). OUT_OF_RANGE if the record has fewer. */
enum status completion_queue_read(struct completion_queue *queue, uint32_t length,
	int64_t deadline_ns, void *out, enum memory_kind to);

#endif
