/* The part of a stage that reads an issue queue (command/issue_queue.h). It takes entries from the
 * fetch queue. Each entry names a piece of the issue queue. The part reads several pieces at a time
 * over PCIe into a ring in L1, and reports to the host how far it has read. Only for the code of
 * stages. */
#ifndef FIRMWARE_PREFETCH_FETCH_H
#define FIRMWARE_PREFETCH_FETCH_H

#include "command/issue_queue.h"
#include "firmware/link/ring.h"

struct fetch_config {
	uint32_t fetch_queue; /* address of limits.fetch_entries words */
	uint32_t fetch_ring;  /* address of limits.fetch_ring_bytes bytes */
	uint64_t issue_ring;  /* host address of the issue queue */
	uint32_t issue_ring_bytes;
	uint64_t read_word; /* host address of the word for the read position */
};

/* A piece of the issue queue that is being read over PCIe. */
struct fetch_piece {
	uint32_t bytes;
	uint32_t reads; /* value that stage.reads_posted has after the piece's last read */
	bool last;
	uint16_t operation; /* low bits of the operation id */
};

struct fetch {
	struct fetch_config config;
	struct ring ring;   /* in L1; its head is the position of the part that parses */
	uint32_t tail;	    /* offset of the next piece in the ring */
	uint32_t landed;    /* number of bytes that are ready for the part that parses */
	uint32_t under_way; /* number of bytes in pieces that have not arrived */
	uint32_t host_end;  /* end of the last piece in the issue queue */
	uint32_t entry;	    /* index of the next fetch-queue entry */
	uint32_t landed_entries;
	uint32_t operation; /* last known operation id */
	/* index of the first piece that has not arrived, and number of these pieces */
	uint32_t first, count;
	struct fetch_piece *pieces; /* [limits.fetch_outstanding], a ring */
	struct fetch_entry next;    /* the entry that begin() has decoded */
	bool lands;		    /* true: the next commit makes a piece available; false: the
				     * next commit posts the reads of `next` */
};

/* fetch_fini() frees the allocations. */
void fetch_init(
	struct fetch *fetch, const struct stage_base *base, const struct fetch_config *config);
void fetch_fini(struct fetch *fetch);

/* Says what fetch_begin() may do while the stage has other reads. */
struct fetch_leave {
	bool mixed; /* other reads may be outstanding, so reads complete in any order */
	bool issue; /* a new piece may be issued */
};

/* Plans a step that makes a piece available whose reads are complete, or a step that posts the
 * reads of a new piece. `plan` must call fetch_commit(). Returns the cost of the step. If neither
 * step is possible, returns STAGE_BLOCKED; the caller must then fill in the wait. A malformed entry
 * is a fault. */
int64_t fetch_begin(struct fetch *fetch, struct stage_base *base, struct fetch_leave leave,
	void (*plan)(struct stage_base *base));
void fetch_commit(struct fetch *fetch, struct stage_base *base);

/* Takes `length` bytes that have arrived out of the ring. Call this in commit. */
void fetch_take(struct fetch *fetch, uint32_t length);

/* Sets *address to the start of the longest contiguous free part of the ring. Returns the length of
 * this part, possibly 0. */
uint32_t fetch_room(const struct fetch *fetch, uint32_t *address);

/* Returns true if all pieces have arrived and no doorbell is pending. */
bool fetch_idle(const struct fetch *fetch, const struct stage *stage);

#endif
