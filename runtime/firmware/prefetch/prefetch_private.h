/* The prefetchers' inside: a fetch half (issue queue to ring), and a parse half that either
 * executes prefetch commands (relay.c) or passes them on (forward.c). Every begin function answers
 * like begin() of a stage and leaves what to do in base.plan. Private to the room. */
#ifndef FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H
#define FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H

#include "command/dispatch.h"
#include "command/issue_queue.h"
#include "firmware/link/ring.h"
#include "firmware/prefetch/prefetch.h"
#include "read_buffer.h"

/* A piece of the issue queue under way over PCIe. */
struct fetch_piece {
	uint32_t bytes;
	uint32_t reads; /* stage.reads_posted behind its last read */
	bool last;
	uint16_t operation; /* low bits */
};

struct fetch {
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
};

/* What the executing parse half is at. */
struct relay {
	struct prefetch_command command;
	bool active;	      /* `command` is under way */
	bool executing;	      /* commands come from the trace's buffer */
	uint32_t inline_left; /* RELAY_INLINE: bytes to relay from the source of commands */
	struct read_buffer scratch; /* RELAY_HOST, _LINEAR, _PAGED */
	struct read_buffer
		fill; /* FILL_CACHE: goes on while later commands run, up to RELAY_CACHE */
	struct read_buffer execute;
	uint32_t cache_at, cache_left; /* RELAY_CACHE */
	uint32_t releases;	       /* STALLs left so far */
	/* of the next commit */
	struct prefetch_command next;
	struct read_buffer *posting;	   /* whose reads are posted */
	uint32_t send_at, send;		   /* bytes to send, in own L1 */
	uint8_t emit[DISPATCH_HEADER_MAX]; /* a command of its own; 16 B are sent */
};

/* What the forwarding parse half is at. */
struct forward {
	uint32_t run_left;   /* bytes of the last command seen that are still to be passed on */
	uint32_t route_left; /* bytes behind that command that belong to the last ROUTE */
	bool ends;	     /* that command ends an operation, `operation` */
	bool terminates;     /* or the stage */
	bool expanding;	     /* RELAY_HOST: its bytes come through scratch */
	uint32_t operation;
};

struct prefetcher {
	struct stage_base base;
	struct prefetch_config config;
	bool fetches; /* from an issue queue; else from `input` */
	bool mixed;   /* DRAM reads may be outstanding: reads complete in any order */
	bool marks_received;
	bool marks_sent;
	struct fetch fetch;
	struct link_receiver input;
	struct link_sender output;
	struct relay relay;
	struct forward forward;
	struct forward next_forward; /* after the next commit */
};

static inline struct prefetcher *prefetcher_of(struct stage_base *base)
{
	return (struct prefetcher *)base;
}

/* New prefetcher of `role`; the caller's ops. */
struct prefetcher *prefetcher_new(const struct firmware *firmware,
	const struct prefetch_config *config, enum prefetch_role role, const struct stage_ops *ops);

/* begin() of all: over, reads settled. 0: go on. */
int64_t prefetcher_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* begin() of those with an issue queue: what all do, then a fetch, then `next` of what was fetched.
 */
int64_t prefetcher_host_begin(struct stage *stage, struct stage_wait *wait,
	int64_t (*next)(struct prefetcher *prefetcher, struct stage_wait *wait));

/* ---- fetch.c ---- */

void fetch_init(struct prefetcher *prefetcher);

/* Lands or issues a piece: a cost, or STAGE_BLOCKED without filling *wait. */
int64_t fetch_begin(struct prefetcher *prefetcher);

/* Longest straight part of the ring that holds nothing: its address and bytes, none at the worst.
 * It stays free while a trace is executed, since nothing is fetched then. */
uint32_t fetch_room(const struct prefetcher *prefetcher, uint32_t *address);

/* True if nothing is under way and the host has rung for nothing. */
bool fetch_idle(const struct prefetcher *prefetcher);

/* ---- reads.c: reads into scratch, cache and the buffer of a trace ---- */

/* To be called by begin() first: `quiet` is true if no read of the stage is outstanding. */
void reads_settle(struct prefetcher *prefetcher, bool quiet);

/* True while reads have to complete before others may be posted. */
bool reads_closing(const struct prefetcher *prefetcher);

/* Posts a batch of the buffer's reads if it may: a cost, or STAGE_BLOCKED without filling *wait. */
int64_t reads_begin(struct prefetcher *prefetcher, struct read_buffer *buffer);

/* ---- source of commands: ring of either kind, in prefetch.c ---- */

/* Bytes of commands that are there. */
uint32_t commands_available(const struct prefetcher *prefetcher);
const struct ring *commands_ring(const struct prefetcher *prefetcher);
uint64_t commands_take_price(const struct prefetcher *prefetcher, uint32_t length);
void commands_take(struct prefetcher *prefetcher, uint32_t length);

/* BLOCKED for want of commands. */
int64_t commands_block(const struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay.c, forward.c: the parse half ---- */

int64_t relay_begin(struct prefetcher *prefetcher, struct stage_wait *wait);
int64_t forward_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay_start.c: what a new command needs ---- */

/* Checks `command` against the machine: NULL, or why it is refused (static text). */
const char *relay_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command);

/* Starts the reads of a command that reads through a buffer. In commit. */
void relay_read_start(struct prefetcher *prefetcher, const struct prefetch_command *command);

#endif
