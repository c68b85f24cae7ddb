/* The controller inside its room: hosts, stages, the table of what is owed. */
#ifndef DISTRIBUTED_CONTROLLER_PRIVATE_H
#define DISTRIBUTED_CONTROLLER_PRIVATE_H

#include "base/arena.h"
#include "distributed/common/mail.h"
#include "distributed/common/part.h"
#include "distributed/controller.h"
#include "memory/allocator.h"
#include "mesh/handle.h"
#include "world/queue.h"

/* ---- stages (resolution.c): a queue and a thread, or whoever passes ---- */

struct station {
	struct queue *queue; /* NULL: no thread */
	struct thread *thread;
	enum wait_mode wait;
	void (*run)(void *context, void *item);
	void *context;
};

void station_start(struct station *station, const char *name, bool threaded,
	const struct controller_settings *settings, void (*run)(void *context, void *item),
	void *context);
/* Does what was passed before it returns. */
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

/* What hosts owe; sets of hosts are bits. Under the table's monitor. */
struct awaited {
	struct awaited *next;
	enum awaited_kind kind;
	uint64_t number; /* of the command */
	uint32_t event;
	uint32_t hosts; /* that have not answered */
	enum status status;
	bool kept; /* the main thread takes it off */
	/* of words: each host's, which the main thread frees */
	uint32_t **words;     /* [host] */
	uint32_t words_count; /* that each has to say */
	uint64_t most;	      /* of MEMORY_WANTED: the largest so far */
	/* of reads, whose last data are seen by whoever takes them */
	struct handle_call call;
	uint8_t *data;
	bool one; /* of one device */
	struct mesh_spread spread;
	uint8_t *pieces[DISTRIBUTED_HOSTS_MAX];
};

struct table {
	struct monitor *told;
	struct awaited *first, **last;
	enum status fault; /* of a host: for good */
	enum status late;  /* of a command that nobody waited for, since the last look */
	struct text fault_why, late_why;
	/* hosts for which time was up, and that have said something since; until when commands
	 * still go out to them */
	uint32_t silent, heard;
	int64_t grace_end_ns;
	int64_t sent_ns; /* when the last command went out, to whichever host */
	uint64_t closing; /* number of the command that closes the hosts; 0: none does */
};

struct host {
	const char *name;
	uint32_t member; /* the hub's */
	bool joined, told;
	int64_t heard_ns; /* when it last said something; inside the monitor of the table */
	struct arena arena;
	struct cluster_info info;  /* in the arena */
	struct device_range place; /* in the virtual machine */
	struct part part;	   /* of the open mesh; only if it takes part */
	uint64_t opened;	   /* number of the command that it has answered so */
	struct wire_memory memories[BUFFER_TYPE_COUNT];
};

/* DRAM that the controller has given out, or will (memory.c). */
enum claim_state { CLAIM_ASKED, CLAIM_GIVEN, CLAIM_REFUSED };

struct claim {
	enum claim_state state; /* atomic */
	uint64_t address;	/* of CLAIM_GIVEN */
	struct awaited *asked;	/* of CLAIM_ASKED: executors that are to say how much */
};

/* A command on its way (forward.c). */
struct share {
	uint32_t host; /* or CHANNEL_ALL */
	const uint8_t *data;
	uint8_t *owned; /* data, if they were cut out or copied */
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
	uint32_t hosts;		  /* that it is for */
	bool same;		  /* for all of these */
	bool all;		  /* a write of the whole buffer */
	uint32_t launches, waits; /* sub-devices, a bit each, as of a job of a mesh */
	struct claim *serves;	  /* PLACE_WORKLOAD: executors' requests, before it goes on */
	struct claim *frees;	  /* memory that nothing before it may have */
	uint32_t reserved;	  /* numbers in front of its own, of answers to it alone */
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
	struct letter letter;	   /* of the decoding stage, without a thread */
	struct station resolve, serialize, send, deserialize, read;
	struct thread *receiver;
	bool ending;	       /* atomic: the receiver is to end */
	bool receiving;	       /* atomic: a thread is at it, where none does nothing else */
	struct letter *unused; /* atomic */
	bool started;
	uint64_t number; /* of the last command */
	uint32_t taking; /* hosts of the open mesh */
	struct distributed *open;
};

/* ---- forward.c ---- */

/* A command for hosts; `same` for all of them. */
struct order *order_new(enum wire_kind kind, uint32_t queue, uint32_t hosts);
void order_free(struct order *order);

/* Numbers the order and sends it on its way; takes it. */
void forward(struct controller *controller, struct order *order);
/* The number that it will have, so that its answer can be awaited before. */
uint64_t forward_number(struct controller *controller, const struct order *order);
/* The most data of one message. */
uint64_t forward_piece_most(const struct controller *controller);
void forward_start(struct controller *controller);
void forward_stop(struct controller *controller);

/* ---- reverse.c ---- */

/* Receives and does what it says, without threads. OK, TIMEOUT. */
enum status reverse_take(struct controller *controller, int64_t deadline_ns);

/* Where no thread receives alone, whoever waits does: the caller, and whoever sends while a window
 * is full. One at a time: false, another one does. A caller begins inside the table's monitor, so
 * that nothing that it goes to wait for comes between. */
bool reverse_begin(struct controller *controller);
void reverse_end(struct controller *controller);
void reverse_start(struct controller *controller);
void reverse_stop(struct controller *controller);

/* ---- table.c ---- */

void table_init(struct table *table);
void table_fini(struct table *table);
struct awaited *table_await(
	struct controller *controller, enum awaited_kind kind, uint64_t number, uint32_t hosts);

/* Inside the monitor: forgets and frees. */
void table_take_off(struct table *table, struct awaited *awaited);

/* ---- wait.c ---- */

/* Waits until all hosts have answered, or until the deadline, and takes it off. The worst of what
 * they answered, what failed late, TIMEOUT, or the fault of a host. */
enum status table_wait(struct controller *controller, struct awaited *awaited, int64_t deadline_ns);

/* The same for requests of executors, by whoever resolves: until each has said how many bytes it
 * wants, of which *bytes is the most. What has failed is left to whoever waits next. */
enum status table_wait_request(
	struct controller *controller, struct awaited *awaited, uint64_t *bytes);

/* A command that nobody waits for has failed here. */
void table_late(struct controller *controller, enum status status, const char *why);

/* Waits for nothing: the fault of a host, whose sentence controller_why() then gives, or OK. Only
 * threads of the caller may ask so. */
enum status table_judge(struct controller *controller);

/* The same as table_wait() for an event of an id, which may have been reached; it stays on TIMEOUT.
 */
enum status table_wait_event(struct controller *controller, uint32_t event, int64_t deadline_ns);

/* The command of this number closes the hosts: who has answered it may go. */
void table_closing(struct controller *controller, uint64_t number);
void table_lost(struct controller *controller, uint32_t host);

/* A host is of no more use. */
void table_fault(
	struct controller *controller, uint32_t host, enum status status, const char *what);
/* The status of the table: of its fault, else OK. */
enum status table_status(struct controller *controller);

/* What a host says. */
void table_take(struct controller *controller, uint32_t host, const struct wire_command *answer);

/* ---- memory.c: what passes resolution ---- */

/* Serves executors' requests, and says in the order where; false: it is not to be sent. */
bool memory_serve(struct controller *controller, struct order *order);
void memory_go_back(struct controller *controller, struct order *order);

/* ---- machine.c ---- */

/* The virtual machine out of the hosts' descriptions. */
enum status machine_make(struct controller *controller, struct text *why);

#endif
