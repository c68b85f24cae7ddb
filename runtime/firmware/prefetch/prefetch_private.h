/* Internal structures of the prefetchers. A prefetcher has a fetch part (issue queue to ring), and
 * a parse part that either executes prefetch commands (relay.c) or forwards them (forward.c). Each
 * function named *_begin works like begin() of a stage: it returns the cost of a step, and sets
 * base.plan to the function that does the work. Only for files of this folder. */
#ifndef FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H
#define FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H

#include "command/dispatch.h"
#include "firmware/prefetch/fetch.h"
#include "firmware/prefetch/prefetch.h"
#include "command/prefetch.h"
#include "firmware/core/stage.h"

/* A double buffer in a prefetcher's L1: reads fill one half while the other half is used. Reads
 * from different banks complete in any order, so a full half counts as complete only when no read
 * of the stage is outstanding. Until then, the stage posts no new reads. */

/* The memory from which a double buffer is filled, and the position of the next read. Pages have
 * `page_bytes` bytes each; a linear range is one page. */
struct read_source {
	bool l1;	    /* banks are L1 of workers */
	bool host;	    /* over PCIe, from host_address */
	struct banks banks; /* else; linear: one bank */
	uint16_t tile;	    /* linear: the bank */
	uint64_t host_address;
	uint32_t base, page_bytes;
	uint64_t page;	    /* next one */
	uint32_t in_page;   /* bytes of it already read */
	uint64_t left;	    /* bytes to read, in all pages */
	uint32_t read_most; /* largest single read */
};

enum half_state { HALF_EMPTY, HALF_FILLING, HALF_CLOSING, HALF_READY };

struct read_half {
	enum half_state state;
	uint32_t filled, used; /* bytes */
};

struct read_buffer {
	uint32_t address, half_bytes;
	struct read_source source;
	struct read_half half[2];
	uint8_t filling, using; /* index of half */
	bool used;		/* bytes have been used since the start */
};

/* Prepares the buffer at `address`, two empty halves of `half_bytes` each, to read `bytes` bytes
 * through it. Posts no reads. The caller has set buffer->source, except for source.left, which this
 * function sets. */
void read_buffer_start(
	struct read_buffer *buffer, uint32_t address, uint32_t half_bytes, uint64_t bytes);

/* Return a source that reads pages, a linear range, or host memory. The caller has checked that all
 * of it lies in memory. */
struct read_source read_source_pages(
	const struct stage_base *base, const struct prefetch_pages *pages, bool l1);
struct read_source read_source_linear(
	const struct stage_base *base, uint16_t tile, uint32_t address, uint32_t length);
struct read_source read_source_host(
	const struct stage_base *base, uint64_t address, uint32_t length);

/* If `quiet` is true, makes a full half readable. `quiet` means that the stage has no outstanding
 * read. Call it first in begin(). */
void read_buffer_settle(struct read_buffer *buffer, bool quiet);

/* True while a full half waits for its reads: no reads may be posted. */
bool read_buffer_closing(const struct read_buffer *buffer);

/* True if the next read is the first into a half whose bytes have been used. */
bool read_buffer_refills(const struct read_buffer *buffer);

/* Number of reads in the next batch; 0 if there is no room or nothing left. */
uint32_t read_buffer_batch(const struct read_buffer *buffer, const struct firmware_limits *limits);

/* Posts the reads that read_buffer_batch() counts. Call it in commit. */
void read_buffer_fill(
	struct read_buffer *buffer, struct stage *stage, const struct firmware_limits *limits);

/* True if no byte of the readable half has been used. */
bool read_buffer_turned(const struct read_buffer *buffer);

/* The number of contiguous bytes that can be used now, and the address of the first one. */
uint32_t read_buffer_ready(const struct read_buffer *buffer);
uint32_t read_buffer_address(const struct read_buffer *buffer);

/* Releases `length` used bytes. */
void read_buffer_use(struct read_buffer *buffer, uint32_t length);

/* Number of bytes that have not been used yet, whether they have been read or not. */
uint64_t read_buffer_rest(const struct read_buffer *buffer);

/* State of a parse part that executes commands. */
struct relay {
	struct prefetch_command command;
	bool active;		    /* `command` is under way */
	bool executing;		    /* commands come from the trace's buffer */
	uint32_t inline_left;	    /* RELAY_INLINE: bytes to relay from the source of commands */
	struct read_buffer scratch; /* RELAY_HOST, _LINEAR, _PAGED */
	struct read_buffer
		fill; /* FILL_CACHE: continues while later commands run, up to RELAY_CACHE */
	struct read_buffer execute;
	uint32_t cache_at, cache_left; /* RELAY_CACHE */
	uint32_t releases;	       /* number of STALLs passed */
	uint32_t traces;	       /* number of traces that are over, if commands are held */
	/* for the next commit */
	struct prefetch_command next;
	struct read_buffer *posting;	   /* whose reads are posted */
	uint32_t send_at, send;		   /* bytes to send, in own L1 */
	uint8_t emit[DISPATCH_HEADER_MAX]; /* a command made here; 16 B are sent */
};

/* State of a parse part that forwards commands. */
struct forward {
	uint32_t run_left;   /* bytes of the last command read that are not forwarded yet */
	uint32_t route_left; /* bytes after that command that belong to the last ROUTE */
	bool ends;	     /* that command ends an operation, `operation` */
	bool terminates;     /* that command ends the stage */
	bool expanding;	     /* RELAY_HOST: its bytes are read through scratch */
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
	struct forward next_forward; /* state after the next commit */
};

static inline struct prefetcher *prefetcher_of(struct stage_base *base)
{
	return (struct prefetcher *)base;
}

/* Creates a prefetcher of `role` with the operations `ops`. Never returns NULL. */
struct prefetcher *prefetcher_new(const struct firmware *firmware,
	const struct prefetch_config *config, enum prefetch_role role, const struct stage_ops *ops);

/* Must be the first call in begin() of a prefetcher. Calls reads_settle(). Returns 0 if begin() may
 * continue. If the stage is halted or has ended, returns the value that begin() must return. */
int64_t prefetcher_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* The begin() of prefetchers with an issue queue. Calls prefetcher_begin(), and then plans a fetch
 * if one is possible. If none is possible, calls `next`, which handles the fetched commands. */
int64_t prefetcher_host_begin(struct stage *stage, struct stage_wait *wait,
	int64_t (*next)(struct prefetcher *prefetcher, struct stage_wait *wait));

/* ---- reads.c: reads into scratch, cache and the buffer of a trace ---- */

/* Calls read_buffer_settle() for all buffers. `quiet` is true if the stage has no outstanding read.
 * Call it first in begin(). */
void reads_settle(struct prefetcher *prefetcher, bool quiet);

/* True while reads must complete before others may be posted. */
bool reads_closing(const struct prefetcher *prefetcher);

/* Plans a step that posts the next batch of reads into `buffer`. Returns the cost of the step. If
 * no read can be posted now, returns STAGE_BLOCKED; the caller must then fill the wait. */
int64_t reads_begin(struct prefetcher *prefetcher, struct read_buffer *buffer);

/* ---- the source of commands (prefetch.c): the fetch ring or the ring of a link ---- */

/* Bytes of commands that have arrived. */
uint32_t commands_available(const struct prefetcher *prefetcher);
const struct ring *commands_ring(const struct prefetcher *prefetcher);
uint64_t commands_take_price(const struct prefetcher *prefetcher, uint32_t length);
void commands_take(struct prefetcher *prefetcher, uint32_t length);

/* Blocks until more commands arrive. Returns STAGE_BLOCKED. */
int64_t commands_block(const struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay.c, forward.c: the parse part ---- */

int64_t relay_begin(struct prefetcher *prefetcher, struct stage_wait *wait);
int64_t forward_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- execute_hold.c: traces for which commands are held back ---- */

bool execute_holds(const struct prefetcher *prefetcher);

/* Asks the depacketizer to hold, if it does not do so by itself. Call it in the commit of
 * EXECUTE. */
void execute_ask(struct prefetcher *prefetcher);

/* Tells the depacketizer the end of a trace. Call it in the commit of EXECUTE_END. */
void execute_over(struct prefetcher *prefetcher);

/* Returns the size of the largest free part of the ring, and sets *address to its begin. */
uint32_t execute_room(const struct prefetcher *prefetcher, uint32_t *address);

/* ---- relay_start.c: checks and reads of a new command ---- */

/* Plans the step that begins a trace for which commands are held back, or blocks until they are. */
int64_t execute_hold_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* Checks whether this machine can execute `command`. Returns NULL if it can, otherwise the reason
 * (static text). */
const char *relay_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command);

/* Prepares the buffer through which `command` reads, if it reads. Call it in commit. */
void relay_read_start(struct prefetcher *prefetcher, const struct prefetch_command *command);

#endif
