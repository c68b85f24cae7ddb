/* The fetch half of whatever reads an issue queue (command/issue_queue.h): takes fetch-queue
 * entries, keeps several pieces of the issue queue under way over PCIe into a ring in L1, and tells
 * the host what has been read. Looks into no command. For stages only. */
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
	struct ring ring;   /* L1; head: where the parse half is */
	uint32_t tail;	    /* offset where the next piece goes */
	uint32_t landed;    /* bytes for the parse half */
	uint32_t under_way; /* bytes of pieces not landed */
	uint32_t host_end;  /* of the last piece, in the issue queue */
	uint32_t entry;	    /* index of the next fetch-queue entry */
	uint32_t landed_entries;
	uint32_t operation;	    /* last one known */
	uint32_t first, count;	    /* of pieces under way */
	struct fetch_piece *pieces; /* [limits.fetch_outstanding], ring */
	struct fetch_entry next;    /* decoded by begin */
	bool lands;		    /* what the next commit does: lands a piece, or issues `next` */
};

/* fetch_fini() frees what it has allocated. */
void fetch_init(
	struct fetch *fetch, const struct stage_base *base, const struct fetch_config *config);
void fetch_fini(struct fetch *fetch);

/* What fetch_begin() may do: not all stages let reads of other kinds mix with a fetch's. */
struct fetch_leave {
	bool mixed; /* other reads may be outstanding: they complete in any order */
	bool issue; /* a new piece may be issued */
};

/* Lands or issues a piece: a cost and fetch_commit() as what `plan` has to do, or STAGE_BLOCKED
 * without filling a wait. */
int64_t fetch_begin(struct fetch *fetch, struct stage_base *base, struct fetch_leave leave,
	void (*plan)(struct stage_base *base));
void fetch_commit(struct fetch *fetch, struct stage_base *base);

/* Takes landed bytes. In commit. */
void fetch_take(struct fetch *fetch, uint32_t length);

/* Longest straight part of the ring that holds nothing: its address and bytes, none at the worst.
 */
uint32_t fetch_room(const struct fetch *fetch, uint32_t *address);

/* True if nothing is under way and the host has rung for nothing. */
bool fetch_idle(const struct fetch *fetch, const struct stage *stage);

#endif
