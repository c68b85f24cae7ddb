/* The dispatcher's inside. Every begin function answers like begin() of a stage and leaves what to
 * do in base.plan. Private to the room. */
#ifndef FIRMWARE_DISPATCH_DISPATCHER_PRIVATE_H
#define FIRMWARE_DISPATCH_DISPATCHER_PRIVATE_H

#include "command/dispatch.h"
#include "firmware/completion/gate.h"
#include "firmware/completion/upstream.h"
#include "firmware/dispatch/dispatch.h"

enum { LAUNCHES_KEPT = 8, RUNS_REMEMBERED = 8, STARTS_MAX = 32 };

/* A launch whose completion is still to be marked. */
struct launch_mark {
	uint32_t total; /* done word when it is complete */
	uint32_t operation;
};

/* Workers that are started together. */
struct group {
	uint16_t run;			  /* number of the last run */
	uint32_t total;			  /* workers that were sent go, or will be */
	uint32_t before[RUNS_REMEMBERED]; /* the same before each of the last runs, by number */
	uint8_t first, count;
	struct launch_mark marks[LAUNCHES_KEPT]; /* ring */
};

/* A GO, or the end of a trace, that waits for the run before. */
struct start {
	struct dispatch_command command;
	uint16_t run;
	bool over; /* the end of a trace that a WAIT has marked: nothing is left to do */
	uint32_t before, after; /* done word when it may be sent; and when its workers are done */
};

/* The starts that are prepared, in order. */
struct starts {
	uint8_t first, count, runs;
	uint8_t due; /* of the next commit: the one to send, counted from the first */
	uint32_t prepared, sent;	/* so far, where there is a dispatch_s */
	struct start start[STARTS_MAX]; /* ring */
};

/* The command under way: how far its data have got. */
struct progress {
	uint32_t data_left; /* bytes of data in the ring, with padding */
	uint32_t done;	    /* bytes of it handled, without the list of targets */
	uint32_t length;    /* bytes to write, without padding */
	uint32_t piece;	    /* WRITE_PACKED: bytes of the last piece */
	bool record_sent;   /* WRITE_HOST */
	bool more;	    /* part of the packed command before */
	uint32_t writes;    /* WAIT: own writes when it was reached */
};

struct dispatcher {
	struct stage_base base;
	struct dispatch_config config;
	struct link_receiver input[2];
	uint8_t current;     /* input of the transaction */
	bool in_transaction; /* it has begun and not ended */
	uint8_t last_id;
	bool active; /* `command` is under way */
	struct dispatch_command command;
	struct progress progress;
	uint32_t offsets[DISPATCH_OFFSETS];
	struct group groups[DISPATCH_GROUPS];
	struct starts starts;
	uint32_t go_writes;	 /* stage.writes_posted behind a go signal alone, of its own */
	struct stage *starter;	 /* dispatch_s, or NULL: itself */
	uint32_t pending_groups; /* bit per group with launches to mark */
	uint32_t dispatched;	 /* operation last marked DISPATCHED */
	uint32_t writing;	 /* operation whose data follow its WAIT; 0: none */
	bool tracing;		 /* between TRACE_BEGIN and TRACE_END */
	uint32_t trace_first;	 /* operation that number 1 of the trace stands for; 0: none do */
	uint32_t trace_event;	 /* what its events count from */
	struct packed_target targets[DISPATCH_PACKED_MAX];
	struct upstream upstream;
	struct gate gate;
	/* of the next commit */
	struct dispatch_command next;
	uint32_t header; /* bytes to take first: a new command's header and list of targets */
	uint32_t chunk;	 /* bytes of data to handle */
	uint32_t padded; /* WRITE_HOST: what they take up */
	uint8_t chosen;	 /* input */
};

static inline struct dispatcher *dispatcher_of(struct stage_base *base)
{
	return (struct dispatcher *)base;
}

static inline struct link_receiver *dispatcher_input(struct dispatcher *dispatcher)
{
	return &dispatcher->input[dispatcher->current];
}

/* ---- dispatch_progress.c ---- */

/* First half of every commit of a command: takes the header of a new one. */
void dispatcher_enter(struct dispatcher *dispatcher);

/* The command is complete: ends its transaction if it is the last. */
void dispatcher_leave(struct dispatcher *dispatcher);

/* Bytes of data behind header and list of targets, with padding; and without. */
uint32_t dispatcher_data_bytes(const struct dispatch_command *command);
uint32_t dispatcher_length(const struct dispatch_command *command);

/* ---- dispatch_order.c: which input ---- */

/* Chooses the input of the next command into `chosen`: the price (of a switch, or 0) if there is
 * one with bytes at its head, BLOCKED after filling *wait, or a fault's plan and *faulted. */
int64_t order_choose(struct dispatcher *dispatcher, struct stage_wait *wait, bool *faulted);

/* ---- dispatch_refuse.c ---- */

/* NULL, or why the machine cannot do it (static text). */
const char *dispatcher_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command);

/* True if the command is part of the one before it: multicasts of one kind to group after group are
 * one packed command. */
bool dispatcher_goes_on(
	const struct dispatcher *dispatcher, const struct dispatch_command *command);

/* ---- what commands do. `command` is `next`, with `header` bytes still to be taken, or the one
 * under way, with header == 0; `price` has been run up so far. ---- */

/* dispatch_write.c: commands with data for the chip */
int64_t write_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* dispatch_host.c */
int64_t host_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);
int64_t notify_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* dispatch_control.c */
int64_t wait_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);
int64_t control_begin(
	struct dispatcher *dispatcher, const struct dispatch_command *command, uint64_t price);

/* ---- dispatch_start.c: go signals ---- */

/* GO and TRACE_END: sends it, or prepares it, or waits for room. */
int64_t start_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* What is due: the marks of launches that have completed, or the first start that is prepared: a
 * cost, or BLOCKED without filling *wait. `base`: who does it. */
int64_t starts_begin(struct dispatcher *dispatcher, struct stage_base *base);

/* Marks the ends of traces whose workers are done and that dispatch_s has not come to yet: what
 * follows a WAIT may tell the host. */
void starts_mark_ends(struct dispatcher *dispatcher);

/* The dispatcher ends: so does its dispatch_s. */
void starts_end(struct dispatcher *dispatcher);

/* Adds to a wait for a word of the tile, or for any, that of the first start, unless that is
 * another's affair. */
void starts_wait(const struct dispatcher *dispatcher, struct stage_wait *wait);

/* BLOCKED until own writes are acknowledged, or the first start can be sent. */
int64_t starts_block_on_writes(const struct dispatcher *dispatcher, uint32_t writes,
	struct stage_wait *wait, const char *what);

/* The done word when all runs but the last `behind` ones are done. */
uint32_t starts_total(const struct dispatcher *dispatcher, uint8_t group, uint32_t behind);

/* Forgets the runs of a group: all are done. */
void starts_settle(struct dispatcher *dispatcher, uint8_t group);

/* ---- dispatch_marks.c ---- */

void marks_dispatched(struct dispatcher *dispatcher, uint32_t operation);

/* A command was entered; its data have all gone to their tiles. A write of a buffer is a WAIT with
 * its operation and commands with data: it is dispatched when the last of these has gone. */
void marks_enter(struct dispatcher *dispatcher);
void marks_data(const struct dispatcher *dispatcher);

/* A launch that is complete when the done word reaches `total`. */
void marks_launch(struct dispatcher *dispatcher, uint8_t group, uint32_t total, uint32_t operation);

/* True if a launch has completed that is not marked yet; marks them, in commit. */
bool marks_due(const struct dispatcher *dispatcher);
void marks_take(struct dispatcher *dispatcher);

/* Adds to *wait of an idle dispatcher the word that the oldest launch waits for. */
void marks_wait(const struct dispatcher *dispatcher, struct stage_wait *wait);

/* Address and value of a group's done word. */
uint32_t done_address(const struct dispatcher *dispatcher, uint32_t group);
uint32_t done_word(const struct dispatcher *dispatcher, uint32_t group);

#endif
