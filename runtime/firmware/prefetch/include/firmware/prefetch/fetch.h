/* The fetch half of a stage that reads an issue queue (command/issue_queue.h): takes fetch-queue
 * entries, keeps several pieces of the issue queue under way over PCIe into a ring in L1, and
 * reports the read position to the host. For stages only. */
#ifndef FIRMWARE_PREFETCH_FETCH_H
#define FIRMWARE_PREFETCH_FETCH_H

#include "command/issue_queue.h"
#include "firmware/link/ring.h"

struct fetch_config {
	uint32_t fetch_queue; /* words, limits.fetch_entries */
	uint32_t fetch_ring;  /* limits.fetch_ring_bytes */
	uint64_t issue_ring;  /* host address */
	uint32_t issue_ring_bytes;
	uint64_t read_word; /* host address */
};

/* A piece of the issue queue under way over PCIe. */
struct fetch_piece {
	uint32_t bytes;
	uint32_t reads; /* stage.reads_posted behind its last read */
	bool last;
	uint16_t operation; /* low bits */
};

struct fetch {
	struct fetch_config config;
	struct ring ring;   /* L1; head: position of the parse half */
	uint32_t tail;	    /* offset of the next piece */
	uint32_t landed;    /* bytes ready for the parse half */
	uint32_t under_way; /* bytes of pieces that have not landed */
	uint32_t host_end;  /* end of the last piece, in the issue queue */
	uint32_t entry;	    /* index of the next fetch-queue entry */
	uint32_t landed_entries;
	uint32_t operation;	    /* last known one */
	uint32_t first, count;	    /* of pieces under way */
	struct fetch_piece *pieces; /* [limits.fetch_outstanding], ring */
	struct fetch_entry next;    /* decoded by begin */
	bool lands;		    /* the next commit lands a piece; else it issues `next` */
};

/* fetch_fini() frees the allocations. */
void fetch_init(
	struct fetch *fetch, const struct stage_base *base, const struct fetch_config *config);
void fetch_fini(struct fetch *fetch);

/* Limits of fetch_begin(): some stages keep other reads from mixing with a fetch's. */
struct fetch_leave {
	bool mixed; /* other reads may be outstanding, so reads complete in any order */
	bool issue; /* a new piece may be issued */
};

/* Lands or issues a piece: returns a cost and plans `plan`, which must call fetch_commit(); or
 * returns STAGE_BLOCKED without filling a wait. */
int64_t fetch_begin(struct fetch *fetch, struct stage_base *base, struct fetch_leave leave,
	void (*plan)(struct stage_base *base));
void fetch_commit(struct fetch *fetch, struct stage_base *base);

/* Takes landed bytes. In commit. */
void fetch_take(struct fetch *fetch, uint32_t length);

/* The longest contiguous free part of the ring: its address and bytes, possibly 0. */
uint32_t fetch_room(const struct fetch *fetch, uint32_t *address);

/* True if nothing is under way and no doorbell is pending. */
bool fetch_idle(const struct fetch *fetch, const struct stage *stage);

#endif
