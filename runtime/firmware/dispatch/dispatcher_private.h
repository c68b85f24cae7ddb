/* Internal structures of the dispatcher. Each function named *_begin works like begin() of a stage:
 * it returns the cost of a step, and sets base.plan to the function that does the work of the step.
 * Only for files of this folder. */
#ifndef FIRMWARE_DISPATCH_DISPATCHER_PRIVATE_H
#define FIRMWARE_DISPATCH_DISPATCHER_PRIVATE_H

#include "command/dispatch.h"
#include "firmware/completion/upstream.h"
#include "firmware/dispatch/dispatch.h"

enum { LAUNCHES_KEPT = 8, RUNS_REMEMBERED = 8, STARTS_MAX = 32 };

/* A launch whose completion is not marked yet. */
struct launch_mark {
	uint32_t total; /* value of the done word when the launch is complete */
	uint32_t operation;
};

/* A group of workers that are started together. */
struct group {
	uint16_t run;			  /* number of the last run */
	uint32_t total;			  /* value of the group's done word when all workers are
					   * done, including those whose start is only prepared */
	uint32_t before[RUNS_REMEMBERED]; /* values of `total` before each of the last runs,
					   * indexed by run number */
	uint8_t first, count;
	struct launch_mark marks[LAUNCHES_KEPT]; /* a ring of `count` marks, beginning at `first` */
};

/* A GO, or the end of a trace. It waits for the previous run. */
struct start {
	struct dispatch_command command;
	uint16_t run;
	bool over;	     /* TRACE_END: a WAIT has already marked the trace as complete */
	int64_t messages_ps; /* time in ps at which the GO's launch messages had been sent */
	/* values of the group's done word: the start may be sent at `before`, and its workers are
	 * done at `after` */
	uint32_t before, after;
};

/* The prepared starts, in the order in which they were prepared. */
struct starts {
	uint8_t first, count, runs;
	uint8_t due; /* index of the start that the next commit sends */
	/* numbers of starts; used only if there is a dispatch_s */
	uint32_t prepared, sent;
	struct start start[STARTS_MAX]; /* a ring of `count` starts, beginning at `first` */
};

/* Progress of the current command. */
struct progress {
	uint32_t data_left; /* bytes of data that are left in the ring, with padding */
	uint32_t done;	    /* bytes that were handled so far, without the list of targets */
	uint32_t length;    /* bytes to write, without padding */
	uint32_t piece;	    /* WRITE_PACKED: bytes of the last piece */
	bool record_sent;   /* WRITE_HOST: the record was sent */
	bool more;	    /* the command continues the previous packed command */
	uint32_t writes;    /* WAIT: number of the stage's own writes when the WAIT started */
};

struct dispatcher {
	struct stage_base base;
	struct dispatch_config config;
	struct link_receiver input[2];
	uint8_t current;     /* number of the input of the current transaction */
	bool in_transaction; /* a transaction has begun and has not ended */
	uint8_t last_id;
	bool active; /* `command` is being executed */
	struct dispatch_command command;
	struct progress progress;
	uint32_t offsets[DISPATCH_OFFSETS];
	struct group groups[DISPATCH_GROUPS];
	struct starts starts;
	uint32_t go_writes;	 /* value of writes_posted right after the last go signal at whose
				  * posting no other write was outstanding */
	struct stage *starter;	 /* dispatch_s; NULL if the dispatcher sends go signals itself */
	uint32_t pending_groups; /* one bit for each group that has launches to mark */
	uint32_t dispatched;	 /* the operation that was marked DISPATCHED last */
	uint32_t writing;	 /* the operation whose data follow its WAIT; 0: none */
	int64_t messages_ps;	 /* time in ps at which the last WAIT for the dispatcher's own
				  * writes began; if a GO follows this WAIT, its launch messages are
				  * among these writes */
	bool tracing;		 /* set between TRACE_BEGIN and TRACE_END */
	uint32_t trace_first;	 /* operation number that operation 1 of the trace has in this
				  * replay; 0: the operations of the trace are not marked */
	uint32_t trace_event;	 /* base of the trace's event ids */
	struct packed_target targets[DISPATCH_PACKED_MAX];
	struct upstream upstream;
	struct gate gate;
	/* what the next commit() does: */
	struct dispatch_command next;
	uint32_t header; /* number of bytes before the data that the step takes from the input: the
			  * header and list of targets of a new command */
	uint32_t chunk;	 /* bytes of data to process */
	uint32_t padded; /* WRITE_HOST: space that these data occupy where they are sent */
	uint64_t pace;	 /* WRITE_PACKED: thousandths of a cycle from one write to the next */
	uint8_t chosen;	 /* number of the input from which the bytes are taken */
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

/* Must be called first in every commit() of a command. If the command is new, takes its header from
 * the ring. */
void dispatcher_enter(struct dispatcher *dispatcher);

/* Completes the command. If it is the last command of the transaction, ends the transaction. */
void dispatcher_leave(struct dispatcher *dispatcher);

/* Return the number of data bytes that follow the header and the list of targets:
 * dispatcher_data_bytes() with padding, dispatcher_length() without. */
uint32_t dispatcher_data_bytes(const struct dispatch_command *command);
uint32_t dispatcher_length(const struct dispatch_command *command);

/* ---- dispatch_order.c ---- */

/* Chooses the input of the next command, and sets dispatcher->chosen. Returns the price of
 * switching to this input; 0 if it is the current input. If the next command has not arrived, fills
 * in *wait and returns STAGE_BLOCKED. On a fault, sets *faulted and returns the value of
 * stage_fault(). */
int64_t order_choose(struct dispatcher *dispatcher, struct stage_wait *wait, bool *faulted);

/* Fills in *wait and returns STAGE_BLOCKED: the dispatcher then waits until more bytes arrive at an
 * input. Without a dispatch_s, the dispatcher itself sends starts and marks launches. Then the wait
 * also ends when the first prepared start can be sent, or when the oldest unmarked launch may be
 * complete. */
int64_t order_wait(
	const struct dispatcher *dispatcher, struct stage_wait *wait, bool idle, const char *what);

/* ---- dispatch_refuse.c ---- */

/* Returns NULL if the machine can execute `command`; otherwise the reason why not (static text). */
const char *dispatcher_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command);

/* Returns true if both `command` and the previous command are multicasts, and both have the same
 * address offset. Successive commands of this kind count as one packed command. */
bool dispatcher_goes_on(
	const struct dispatcher *dispatcher, const struct dispatch_command *command);

/* ---- execution. `command` is the current command. If `header` is not 0, the command is new
 * (dispatcher->next), and its first step takes `header` bytes from the ring. `price` is the sum of
 * the step's prices so far. ---- */

/* dispatch_write.c: commands with data for the chip */
int64_t write_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* dispatch_host.c */
int64_t host_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);
int64_t host_notify_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* dispatch_control.c */
int64_t wait_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);
int64_t control_begin(
	struct dispatcher *dispatcher, const struct dispatch_command *command, uint64_t price);

/* ---- dispatch_start.c: go signals ---- */

/* Executes GO and TRACE_END. Sends the start, prepares it, or waits for room to prepare it. */
int64_t start_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait);

/* Plans one of two steps: one marks launches that are complete, the other sends the first of the
 * prepared starts (GO or TRACE_END) that may be sent. Returns the cost of the step. If neither
 * step is due, returns STAGE_BLOCKED; the caller must then fill in the wait. `base` is the stage
 * that does the work: the dispatcher or its dispatch_s. */
int64_t starts_begin(struct dispatcher *dispatcher, struct stage_base *base);

/* Marks each trace whose workers are done as complete, even if the stage dispatch_s has not
 * executed its TRACE_END yet. Called when a WAIT ends: the next commands may already report to the
 * host that these traces are complete. */
void starts_mark_ends(struct dispatcher *dispatcher);

/* Ends dispatch_s together with the dispatcher. */
void starts_end(struct dispatcher *dispatcher);

/* Changes *wait so that it also ends when the first prepared start may be sent. *wait must be a
 * wait for a word or for any change of the tile. Has no effect if a dispatch_s sends the starts. */
void starts_wait(const struct dispatcher *dispatcher, struct stage_wait *wait);

/* Fills in *wait and returns STAGE_BLOCKED: the stage then waits until its first `writes` writes
 * are acknowledged, or until the first prepared start can be sent. If a dispatch_s sends the
 * starts, the stage waits only for the writes. */
int64_t starts_block_on_writes(const struct dispatcher *dispatcher, uint32_t writes,
	struct stage_wait *wait, const char *what);

/* Returns the value of the done word at which all runs except the last `behind` runs are done. */
uint32_t starts_total(const struct dispatcher *dispatcher, uint8_t group, uint32_t behind);

/* Call this when all runs of a group are done. Sets all values of group->before to group->total. */
void starts_settle(struct dispatcher *dispatcher, uint8_t group);

/* ---- dispatch_marks.c ---- */

void marks_dispatched(struct dispatcher *dispatcher, uint32_t operation);

/* A write of a buffer consists of a WAIT command that names the operation, and of the commands with
 * data after this WAIT. These functions mark the operation as dispatched (MARK_DISPATCHED) when its
 * last data have been sent to their tiles. Call marks_enter() for every command, and marks_data()
 * when all data of a command were sent. */
void marks_enter(struct dispatcher *dispatcher);
void marks_data(const struct dispatcher *dispatcher);

/* Records a launch that will be complete when the done word reaches `total`. */
void marks_launch(struct dispatcher *dispatcher, uint8_t group, uint32_t total, uint32_t operation);

/* marks_due() returns true if a completed launch is not marked yet. marks_take() marks all
 * completed launches that are not marked yet; call it in commit(). */
bool marks_due(const struct dispatcher *dispatcher);
void marks_take(struct dispatcher *dispatcher);

/* Extends *wait: the wait now also ends when the oldest unmarked launch may be complete. */
void marks_wait(const struct dispatcher *dispatcher, struct stage_wait *wait);

/* Return the address and the value of a group's done word. */
uint32_t done_address(const struct dispatcher *dispatcher, uint32_t group);
uint32_t done_word(const struct dispatcher *dispatcher, uint32_t group);

#endif
