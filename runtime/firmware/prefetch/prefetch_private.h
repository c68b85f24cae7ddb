/* Internal structures of the prefetchers: a fetch half (issue queue to ring), and a parse half that
 * either executes prefetch commands (relay.c) or forwards them (forward.c). Every begin function
 * returns like begin() of a stage and stores the work in base.plan. Private to the room. */
#ifndef FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H
#define FIRMWARE_PREFETCH_PREFETCH_PRIVATE_H

#include "command/dispatch.h"
#include "firmware/prefetch/fetch.h"
#include "firmware/prefetch/prefetch.h"
#include "read_buffer.h"

/* State of the executing parse half. */
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
	/* of the next commit */
	struct prefetch_command next;
	struct read_buffer *posting;	   /* whose reads are posted */
	uint32_t send_at, send;		   /* bytes to send, in own L1 */
	uint8_t emit[DISPATCH_HEADER_MAX]; /* a command made here; 16 B are sent */
};

/* State of the forwarding parse half. */
struct forward {
	uint32_t run_left;   /* bytes of the last command read that are not forwarded yet */
	uint32_t route_left; /* bytes behind that command that belong to the last ROUTE */
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

/* New prefetcher of `role`; the caller's ops. */
struct prefetcher *prefetcher_new(const struct firmware *firmware,
	const struct prefetch_config *config, enum prefetch_role role, const struct stage_ops *ops);

/* Common start of begin(): halted or ended, reads settled. 0: continue. */
int64_t prefetcher_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* begin() of prefetchers with an issue queue: the common part, then a fetch, then `next` on fetched
 * commands. */
int64_t prefetcher_host_begin(struct stage *stage, struct stage_wait *wait,
	int64_t (*next)(struct prefetcher *prefetcher, struct stage_wait *wait));

/* ---- reads.c: reads into scratch, cache and the buffer of a trace ---- */

/* Must be the first call of begin(): `quiet` is true if no read of the stage is outstanding. */
void reads_settle(struct prefetcher *prefetcher, bool quiet);

/* True while reads must complete before others may be posted. */
bool reads_closing(const struct prefetcher *prefetcher);

/* Posts a batch of the buffer's reads if possible: returns a cost, or STAGE_BLOCKED without filling
 * *wait. */
int64_t reads_begin(struct prefetcher *prefetcher, struct read_buffer *buffer);

/* ---- source of commands: ring of either kind, in prefetch.c ---- */

/* Bytes of commands that have arrived. */
uint32_t commands_available(const struct prefetcher *prefetcher);
const struct ring *commands_ring(const struct prefetcher *prefetcher);
uint64_t commands_take_price(const struct prefetcher *prefetcher, uint32_t length);
void commands_take(struct prefetcher *prefetcher, uint32_t length);

/* BLOCKED until more commands arrive. */
int64_t commands_block(const struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay.c, forward.c: the parse half ---- */

int64_t relay_begin(struct prefetcher *prefetcher, struct stage_wait *wait);
int64_t forward_begin(struct prefetcher *prefetcher, struct stage_wait *wait);

/* ---- relay_start.c: checks and reads of a new command ---- */

/* Checks `command` against the machine. Returns NULL, or the reason why it is rejected (static
 * text). */
const char *relay_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command);

/* Starts the reads of a command that reads through a buffer. In commit. */
void relay_read_start(struct prefetcher *prefetcher, const struct prefetch_command *command);

#endif
