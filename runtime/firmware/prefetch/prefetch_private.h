/* Internal structures of the prefetchers. A prefetcher has a part that fetches: it reads the issue
 * queue into a ring. Its other part parses: it either executes prefetch commands (relay.c) or
 * forwards them (forward.c). Each function named *_begin works like begin() of a stage: it returns
 * the cost of a step, and sets base.plan to the function that does the work of the step. Only for
 * files of this folder. */
#ifndef FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H
#define FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H

#include "command/dispatch.h"
#include "firmware/prefetch/prefetch.h"
#include "command/prefetch.h"
#include "firmware/core/stage.h"

/* A double buffer in a prefetcher's L1: reads fill one half while the prefetcher uses the other
 * half. Reads from different banks complete in any order. So after all reads of a half were posted,
 * the half is complete only when the stage has no outstanding read. Until then, the stage posts no
 * new reads. */

/* The memory from which a double buffer is filled, and the position of the next read. The memory
 * consists of pages of `page_bytes` bytes; a linear range is a single page. */
struct read_source {
	bool l1;	    /* true: the banks are L1 of workers */
	bool host;	    /* true: host memory, read over PCIe from host_address */
	struct banks banks; /* used if `host` is not set; a linear range has one bank */
	uint16_t tile;	    /* linear range: the tile of the bank */
	uint64_t host_address;
	uint32_t base, page_bytes;
	uint64_t page;	    /* number of the next page */
	uint32_t in_page;   /* bytes of this page that were already read */
	uint64_t left;	    /* bytes that are left to read, over all pages */
	uint32_t read_most; /* maximum size of one read */
};

enum half_state { HALF_EMPTY, HALF_FILLING, HALF_CLOSING, HALF_READY };

struct read_half {
	enum half_state state;
	uint32_t filled, used; /* bytes for which reads were posted, and bytes that were used */
};

struct read_buffer {
	uint32_t address, half_bytes;
	struct read_source source;
	struct read_half half[2];
	/* index of the half that is filled, and of the half that is used */
	uint8_t filling, using;
	bool used;  /* some bytes have been used since the start */
	bool whole; /* the first half is the whole buffer, and the second one is not used */
};

/* Prepares the buffer at `address` for reading `bytes` bytes in total. The buffer consists of two
 * empty halves of `half_bytes` bytes each. Posts no reads. The caller must have set buffer->source;
 * this function sets source.left. */
void read_buffer_start(
	struct read_buffer *buffer, uint32_t address, uint32_t half_bytes, uint64_t bytes);

/* Joins the halves of a buffer that has just been started. From then on, the buffer is filled again
 * only after all its contents were used, so reads and use do not overlap. */
void read_buffer_join(struct read_buffer *buffer);

/* Return a source that reads pages, a linear range, or host memory. The caller must have checked
 * that the whole source lies in memory. */
struct read_source read_source_pages(
	const struct stage_base *base, const struct prefetch_pages *pages, bool l1);
struct read_source read_source_linear(
	const struct stage_base *base, uint16_t tile, uint32_t address, uint32_t length);
struct read_source read_source_host(
	const struct stage_base *base, uint64_t address, uint32_t length);

/* Call this first in begin(). `quiet` must be true if the stage has no outstanding read. Then, if
 * all reads of a half were posted, this half is complete and can be used. */
void read_buffer_settle(struct read_buffer *buffer, bool quiet);

/* Returns true while a full half waits for its reads. No reads may be posted then. */
bool read_buffer_closing(const struct read_buffer *buffer);

/* Returns true if the next read begins to fill a half that may have been used before. Bytes of its
 * previous contents may then still be on their way to other tiles. */
bool read_buffer_refills(const struct read_buffer *buffer);

/* Returns the number of reads in the next batch; 0 if there is no room or nothing is left to
 * read. */
uint32_t read_buffer_batch(const struct read_buffer *buffer, const struct firmware_limits *limits);

/* Posts the reads that read_buffer_batch() counts. Call this in commit(). */
void read_buffer_fill(
	struct read_buffer *buffer, struct stage *stage, const struct firmware_limits *limits);

/* Returns true if no byte of the readable half has been used. */
bool read_buffer_turned(const struct read_buffer *buffer);

/* read_buffer_ready() returns the number of contiguous bytes that can be used now;
 * read_buffer_address() returns the address of the first of these bytes. */
uint32_t read_buffer_ready(const struct read_buffer *buffer);
uint32_t read_buffer_address(const struct read_buffer *buffer);

/* Releases `length` bytes that were used. */
void read_buffer_use(struct read_buffer *buffer, uint32_t length);

/* Returns the number of bytes that have not been used yet, whether they have been read or not. */
uint64_t read_buffer_rest(const struct read_buffer *buffer);

/* State of a prefetcher's part that executes commands. */
struct relay {
	struct prefetch_command command;
	bool active;		    /* `command` is being executed */
	bool executing;		    /* commands come from the buffer of a trace */
	uint32_t inline_left;	    /* RELAY_INLINE: number of bytes that must still be taken from
				     * the source of commands and relayed */
	struct read_buffer scratch; /* used by RELAY_HOST, RELAY_LINEAR and RELAY_PAGED */
	struct read_buffer fill;    /* for the reads of FILL_CACHE. While they run, later commands
				     * are executed, until the next FILL_CACHE or RELAY_CACHE */
	struct read_buffer execute;
	/* RELAY_CACHE: position in the cache, and bytes that are left */
	uint32_t cache_at, cache_left;
	uint32_t releases; /* number of STALLs that have ended */
	uint32_t traces;   /* number of traces that have ended; counted only if commands after
			    * traces are held back */
	/* what the next commit() does: */
	struct prefetch_command next;
	struct read_buffer *posting; /* buffer into which reads are posted */
	/* address and number of the bytes to send, in the stage's own L1 */
	uint32_t send_at, send;
	uint8_t emit[DISPATCH_HEADER_MAX]; /* header of a dispatch command that this stage makes
					    * itself; the first 16 B are sent */
};

/* State of a prefetcher's part that forwards commands. */
struct forward {
	uint32_t run_left;   /* bytes of the latest command that are not forwarded yet */
	uint32_t route_left; /* bytes after the latest command that belong to the last ROUTE */
	bool ends;	     /* the latest command ends an operation, `operation` */
	bool terminates;     /* the latest command ends the stage */
	bool expanding;	     /* the latest command is a RELAY_HOST, and its bytes are being read
			      * through scratch */
	uint32_t operation;
};

struct prefetcher {
	struct stage_base base;
	struct prefetch_config config;
	bool fetches; /* true: the source is an issue queue; false: the source is `input` */
	bool mixed;   /* DRAM reads may be outstanding, so reads complete in any order */
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

/* Must be called first in begin() of a prefetcher. Calls reads_settle(). Returns 0 if begin() may
 * continue. If the stage is halted or has ended, returns the value that begin() must then return.
 */
int64_t prefetcher_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* The begin() of prefetchers with an issue queue. Calls prefetcher_begin(). Then plans a fetch if
 * one is possible; otherwise calls `next`, which handles the fetched commands. */
int64_t prefetcher_host_begin(struct stage *stage, struct stage_wait *wait,
	int64_t (*next)(struct prefetcher *prefetcher, struct stage_wait *wait));

/* ---- reads.c: reads into scratch, cache and the buffer of a trace ---- */

/* Calls read_buffer_settle() for all buffers. `quiet` is true if the stage has no outstanding read.
 * Must be called first in begin(). */
void reads_settle(struct prefetcher *prefetcher, bool quiet);

/* Returns true if no reads may be posted until earlier reads are complete. */
bool reads_closing(const struct prefetcher *prefetcher);

/* Plans a step that posts the next batch of reads into `buffer`. Returns the cost of the step. If
 * no read can be posted now, returns STAGE_BLOCKED; the caller must then fill in the wait. */
int64_t reads_begin(struct prefetcher *prefetcher, struct read_buffer *buffer);

/* ---- the source of commands (prefetch.c): the fetch ring or the ring of a link ---- */

/* Returns the number of bytes of commands that have arrived. */
uint32_t commands_available(const struct prefetcher *prefetcher);
const struct ring *commands_ring(const struct prefetcher *prefetcher);
uint64_t commands_take_price(const struct prefetcher *prefetcher, uint32_t length);
void commands_take(struct prefetcher *prefetcher, uint32_t length);

/* Blocks until more commands arrive. Returns STAGE_BLOCKED. */
int64_t commands_block(const struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay.c and forward.c: the part that parses ---- */

int64_t relay_begin(struct prefetcher *prefetcher, struct stage_wait *wait);
int64_t forward_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- execute_hold.c: traces during which later commands are held back ---- */

bool execute_holds(const struct prefetcher *prefetcher);

/* With TRACE_HOLD_SWEPT (firmware/link/link.h), asks the depacketizer to hold back the commands
 * that arrive from now on. Otherwise does nothing. Call this in the commit of EXECUTE. */
void execute_ask(struct prefetcher *prefetcher);

/* Reports the end of a trace to the depacketizer. Call this in the commit of EXECUTE_END. */
void execute_over(struct prefetcher *prefetcher);

/* Returns the size of the largest free part of the ring, and sets *address to its start. */
uint32_t execute_room(const struct prefetcher *prefetcher, uint32_t *address);

/* ---- relay_start.c: checks and reads of a new command ---- */

/* Used only if the depacketizer holds commands back while a trace is executed. Plans the step that
 * begins a trace. Blocks the stage until the depacketizer holds commands back. */
int64_t execute_hold_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* Returns NULL if this machine can execute `command`, otherwise the reason why not (static
 * text). */
const char *relay_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command);

/* If `command` reads, prepares the buffer through which it reads. Call this in commit(). */
void relay_read_start(struct prefetcher *prefetcher, const struct prefetch_command *command);

#endif
