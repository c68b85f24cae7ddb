/* Declarations for the files of this folder: hosts, stages, and the table of notifications. */
#ifndef DISTRIBUTED_CONTROLLER_PRIVATE_H
#define DISTRIBUTED_CONTROLLER_PRIVATE_H

#include "base/arena.h"
#include "distributed/common/mail.h"
#include "distributed/common/part.h"
#include "distributed/controller.h"
#include "memory/allocator.h"
#include "mesh/handle.h"
#include "world/queue.h"

/* ---- stages (resolution.c): a queue and a thread, or run inline by the caller ---- */

struct station {
	struct queue *queue; /* NULL: no thread, runs inline */
	struct thread *thread;
	enum wait_mode wait;
	void (*run)(void *context, void *item);
	void *context;
};

void station_start(struct station *station, const char *name, bool threaded,
	const struct controller_settings *settings, void (*run)(void *context, void *item),
	void *context);
/* Returns when everything passed before is done. */
void station_stop(struct station *station);
void station_pass(struct station *station, void *item);

/* ---- the table of notifications (spec 4.8.2.2; table.c) ---- */

enum awaited_kind {
	AWAITED_ANSWER,
	AWAITED_EVENT,
	AWAITED_READ,
	AWAITED_WORDS,
	AWAITED_REQUEST,
};

/* A command, and the hosts that must still answer it. Sets of hosts are bit masks. The monitor of
 * struct table guards all entries. */
struct awaited {
	struct awaited *next;
	enum awaited_kind kind;
	uint64_t number; /* of the command */
	uint32_t event;
	uint32_t hosts; /* that have not answered yet */
	enum status status;
	bool kept; /* the main thread removes it */
	/* AWAITED_WORDS: words of each host; the main thread frees them */
	uint32_t **words;     /* [host] */
	uint32_t words_count; /* expected from each host */
	uint64_t most;	      /* of MEMORY_WANTED: the largest so far */
	/* AWAITED_READ: where the data are stored. The operation is marked as SEEN when the last
	 * data have arrived. */
	struct handle_call call;
	uint8_t *data;
	bool one; /* of a single device */
	struct mesh_spread spread;
	uint8_t *pieces[DISTRIBUTED_HOSTS_MAX];
};

struct table {
	struct monitor *told;
	struct awaited *first, **last;
	enum status fault; /* of a host; permanent */
	enum status late;  /* the first failure of a command that no caller waits for. When a
			    * waiting call has returned it, `late` is reset to OK */
	struct text fault_why, late_why;
	/* `silent` has the hosts that timed out; `heard` has the hosts that sent something after
	 * that. Until the time `grace_end_ns`, commands that were already on their way through the
	 * controller are still sent. */
	uint32_t silent, heard;
	int64_t grace_end_ns;
	int64_t sent_ns;  /* when the last command was sent, to any host */
	uint64_t closing; /* number of the command that closes the hosts; 0: none */
};

struct host {
	const char *name;
	uint32_t member; /* the hub's number */
	bool joined, told;
	int64_t heard_ns; /* when it last sent something; guarded by the table's monitor */
	struct arena arena;
	struct cluster_info info;  /* in the arena */
	struct device_range place; /* in the virtual machine */
	struct part part;	   /* of the open mesh; valid only if the host takes part */
	uint64_t opened;	   /* number of the command that it answered with MESH_OPENED */
	struct wire_memory memories[BUFFER_TYPE_COUNT];
};

/* DRAM that the controller has given out, or will give out (memory.c). */
enum claim_state { CLAIM_ASKED, CLAIM_GIVEN, CLAIM_REFUSED };

struct claim {
	enum claim_state state; /* atomic */
	uint64_t address;	/* of CLAIM_GIVEN */
	struct awaited *asked;	/* CLAIM_ASKED: the entry for the answers in which the executors
				 * report how much they need */
};

/* A command on its way to the executors (forward.c). */
struct share {
	uint32_t host; /* or CHANNEL_ALL */
	const uint8_t *data;
	uint8_t *owned; /* `data`, if it was cut out or copied */
	uint64_t bytes;
	bool whole;
};

struct parcel {
	uint32_t host;
	struct span message;
};

struct order {
	struct wire_command command;
	struct arena arena;	  /* of its lists */
	uint32_t hosts;		  /* that it is sent to */
	bool same;		  /* the same for all these hosts */
	bool all;		  /* a write of the whole buffer */
	uint32_t launches, waits; /* sub-devices, one bit each, as for a job of a mesh */
	struct claim *serves;	  /* PLACE_WORKLOAD: the memory request that must be served before
				   * PLACE_WORKLOAD is sent */
	struct claim *frees;	  /* memory that becomes free when this order passes */
	uint32_t reserved;	  /* numbers reserved before its own, for further answers to it */
	const uint8_t *data;
	uint8_t *owned;
	uint64_t bytes;
	struct mesh_spread spread;
	struct share shares[DISTRIBUTED_HOSTS_MAX];
	uint32_t share_count;
	struct parcel *parcels;
	uint32_t parcel_count;
};

struct distributed;

struct controller {
	struct controller_settings settings;
	struct hub *hub;
	struct host hosts[DISTRIBUTED_HOSTS_MAX];
	uint32_t member_host[CHANNEL_MEMBERS_MAX]; /* UINT32_MAX: dropped */
	struct arena arena;
	struct cluster_info *info;
	struct table table;
	struct text why;
	struct mail_writer writer; /* of the serializing stage */
	struct letter letter;	   /* of the decoding stage, if it has no thread */
	struct station resolve, serialize, send, deserialize, read;
	struct thread *receiver;
	bool ending;	       /* atomic: the receiver must end */
	bool receiving;	       /* atomic: true while a thread receives; used only if no thread is
				* dedicated to receiving */
	struct letter *unused; /* atomic */
	bool started;
	uint64_t number; /* of the last command */
	uint32_t taking; /* hosts of the open mesh */
	struct distributed *open;
};

/* ---- forward.c ---- */

/* Makes a command for `hosts`; `same` is set. */
struct order *order_new(enum wire_kind kind, uint32_t queue, uint32_t hosts);
void order_free(struct order *order);

/* Numbers the order and sends it on its way; takes ownership. */
void forward(struct controller *controller, struct order *order);
/* The number that the order will get, so that its answer can be awaited first. */
uint64_t forward_number(struct controller *controller, const struct order *order);
/* The most bytes of data in one message. */
uint64_t forward_piece_most(const struct controller *controller);
void forward_start(struct controller *controller);
void forward_stop(struct controller *controller);

/* ---- reverse.c ---- */

/* Receives one message and handles it, without threads. OK, TIMEOUT. */
enum status reverse_take(struct controller *controller, int64_t deadline_ns);

/* If no thread is dedicated to receiving, the threads that wait also receive: the caller's thread,
 * and a sender whose window is full. Only one thread may receive at a time: reverse_begin() returns
 * true if the calling thread may receive, and false if another thread receives. The caller's thread
 * must call reverse_begin() inside the table's monitor. Outside the monitor, it could miss the
 * answer that it is about to wait for. */
bool reverse_begin(struct controller *controller);
void reverse_end(struct controller *controller);
void reverse_start(struct controller *controller);
void reverse_stop(struct controller *controller);

/* ---- table.c ---- */

void table_init(struct table *table);
void table_fini(struct table *table);
struct awaited *table_await(
	struct controller *controller, enum awaited_kind kind, uint64_t number, uint32_t hosts);

/* Removes and frees it. Called inside the monitor. */
void table_take_off(struct table *table, struct awaited *awaited);

/* ---- wait.c ---- */

/* A long wait for a host is divided into short waits, called looks. Each look should take a fixed
 * fraction of reply_ns. If a look takes more than twice that time, this machine was held up, for
 * example because a laptop slept or all processes were stopped. The hosts could not answer while
 * the machine was held up, so that time does not count as their silence. */

/* The end of a look that begins now, absolute; `until_ns` if that comes sooner. */
int64_t patience_look(const struct controller *controller, int64_t until_ns);
/* By how long the machine was held up in the look that should have ended at `look_ns`; mostly 0. */
int64_t patience_held_ns(const struct controller *controller, int64_t look_ns);

/* Waits until all hosts have answered or the deadline has passed. Removes the entry, unless it is
 * an AWAITED_ANSWER that some hosts have not answered. Returns the worst status of the answers; the
 * status of another command that failed late (table_late()); TIMEOUT at the deadline; or the fault
 * of a host. */
enum status table_wait(struct controller *controller, struct awaited *awaited, int64_t deadline_ns);

/* Waits until each executor has reported how many bytes it needs, and sets *bytes to the largest of
 * these numbers. Called by the resolving thread. Returns the worst status of the answers, or the
 * fault of a host. Failures recorded with table_late() stay recorded for the next thread that
 * waits. */
enum status table_wait_request(
	struct controller *controller, struct awaited *awaited, uint64_t *bytes);

/* Records the failure of a command without a waiting caller. */
void table_late(struct controller *controller, enum status status, const char *why);

/* Returns the fault of a host, or OK if no host has a fault. Does not block. After a fault,
 * controller_why() returns the sentence of that fault. Only the caller's thread may call this. */
enum status table_judge(struct controller *controller);

/* Waits for the event with this id like table_wait(). The event may have been reached already.
 * After TIMEOUT the entry stays in the table. */
enum status table_wait_event(struct controller *controller, uint32_t event, int64_t deadline_ns);

/* Waits for an event that no host records, until a host has failed or the deadline has passed. */
enum status table_wait_in_vain(struct controller *controller, int64_t deadline_ns);

/* The command of this number closes the hosts: a host that has answered it may leave. */
void table_closing(struct controller *controller, uint64_t number);
void table_lost(struct controller *controller, uint32_t host);

/* Marks a host as failed, for good. */
void table_fault(
	struct controller *controller, uint32_t host, enum status status, const char *what);
/* The fault in the table, or OK. */
enum status table_status(struct controller *controller);

/* Handles an answer of a host. */
void table_take(struct controller *controller, uint32_t host, const struct wire_command *answer);

/* ---- memory.c: what resolution calls ---- */

/* Serves executors' requests, and sets the address in the order; false: do not send the order. */
bool memory_serve(struct controller *controller, struct order *order);
void memory_go_back(struct controller *controller, struct order *order);

/* ---- machine.c ---- */

/* Makes the virtual machine from the hosts' descriptions. */
enum status machine_make(struct controller *controller, struct text *why);

#endif
