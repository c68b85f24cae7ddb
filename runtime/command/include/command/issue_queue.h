/* An issue queue (spec, flow 6.2) is a ring of commands in pinned host memory, which a prefetcher
 * reads. The queue also has a fetch queue: a ring of words in the prefetcher's L1. The host never
 * reads over PCIe, because such a read is slow (ISA PCIExpressTile).
 *
 * The host writes commands into the ring in pieces. A piece never crosses the ring's end: if it
 * does not fit before the end, it is written at the start of the ring. The prefetcher follows the
 * same rule. When a piece is written, the host rings the doorbell: it posts an entry over PCIe to
 * the next word of the fetch queue. The bits of an entry are:
 *
 *     0-13   length in units of 16 B
 *     14     set if the piece is the last one of its operation
 *     15-30  low bits of the operation's id
 *
 * A free entry is 0; the prefetcher clears the entries that it has taken. The prefetcher counts the
 * entries whose data have arrived, and writes this count to the queue's read word in host memory.
 * The count wraps around. From the count, the host knows which entries and bytes are free.
 *
 * Several prefetchers may read one queue (spec 3.8.8.2). Each of them receives the doorbells and
 * has its own read word. An entry is free when the slowest prefetcher has read it. Only one thread
 * may use a queue at a time. */
#ifndef COMMAND_ISSUE_QUEUE_H
#define COMMAND_ISSUE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "command/stream.h"
#include "world/device.h"

enum {
	ISSUE_ENTRY_MAX = 0x3fff * COMMAND_ALIGN, /* maximum bytes of an entry */
};

/* A prefetcher that reads the queue. */
struct issue_reader {
	struct device *device; /* chip of the queue, which must have PCIe */
	uint16_t tile;
	uint32_t fetch_queue; /* address of the prefetcher's fetch queue */
};

struct issue_queue_config {
	struct cluster *cluster;
	const char *name;	  /* name of the queue, for reports; copied */
	uint32_t ring_bytes;	  /* multiple of WINDOW_PAGE_BYTES, with room for at least two
				   * entries */
	uint32_t entry_bytes_max; /* bytes of the largest piece; a multiple of 16, at most
				   * ISSUE_ENTRY_MAX */
	uint32_t fetch_entries;	  /* number of words in the fetch queue */
	uint32_t reader_count;	  /* number of readers, at least 1 */
	const struct issue_reader *readers; /* the readers; copied */
	enum wait_mode mode;		    /* how the host waits while the queue is full */
};

struct issue_queue; /* opaque */

/* Creates a queue: reserves the ring and the read words in the host window. Returns OK, and sets
 * *queue to the queue, which the caller owns. Returns NO_MEMORY if the window has no room. */
enum status issue_queue_new(const struct issue_queue_config *config, struct issue_queue **queue);

/* Frees the queue and its part of the host window. Must be called before the cluster is freed, and
 * after the last stage has stopped using the queue. NULL is allowed. */
void issue_queue_free(struct issue_queue *queue);

/* issue_queue_ring() returns the host address of the ring, and issue_queue_read_word() that of a
 * reader's read word. They are needed to configure the prefetcher. */
uint64_t issue_queue_ring(const struct issue_queue *queue);
uint64_t issue_queue_read_word(const struct issue_queue *queue, uint32_t reader);

/* Reserves room for a piece of `bytes` bytes (a multiple of 16, at most entry_bytes_max). Blocks
 * while the ring or the fetch queue is full. Sets *address to the host address of the piece.
 * Returns OK, or TIMEOUT if the deadline has passed. Charges WORK_RESERVE. */
enum status issue_queue_reserve(
	struct issue_queue *queue, uint32_t bytes, int64_t deadline_ns, uint64_t *address);

/* Writes a part of the reserved piece. The window keeps a reference to the span. Charges the copy
 * from memory of kind `from` to pinned memory. */
void issue_queue_write(
	struct issue_queue *queue, uint64_t address, struct span span, enum memory_kind from);

/* Rings the doorbell for the reserved piece. Charges WORK_DOORBELL for each reader. */
void issue_queue_post(struct issue_queue *queue, uint32_t operation, bool last);

/* Totals of a queue. */
struct issue_queue_counters {
	uint64_t bytes, entries, doorbells;
	uint64_t waits; /* number of times that issue_queue_reserve() had to wait */
};

struct issue_queue_counters issue_queue_counters(const struct issue_queue *queue);

/* ---- fetch-queue entries, for the prefetcher ---- */

struct fetch_entry {
	uint32_t bytes;
	bool last;	    /* true for the last piece of its operation */
	uint16_t operation; /* low bits of the operation's id */
};

uint32_t fetch_entry_encode(struct fetch_entry entry);

/* Decodes an entry. Returns OK; INVALID if no host writes this word. */
enum status fetch_entry_decode(uint32_t word, struct fetch_entry *entry);

/* Returns the offset in the ring at which a piece of `bytes` bytes is stored. `end` is the end of
 * the previous piece. */
static inline uint32_t issue_ring_place(uint32_t end, uint32_t bytes, uint32_t ring_bytes)
{
	return bytes > ring_bytes - end ? 0 : end;
}

/* Returns the operation id for a piece whose first command has no id. Of all ids with the low 16
 * bits `low`, it is the id that is nearest to `near`. */
uint32_t fetch_entry_operation(uint16_t low, uint32_t near);

#endif
