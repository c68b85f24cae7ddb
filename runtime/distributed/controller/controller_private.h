/* Declarations for the files of this folder and its subfolder: hosts, stages, and the table of
 * notifications. */
#ifndef DISTRIBUTED_CONTROLLER_PRIVATE_H
#define DISTRIBUTED_CONTROLLER_PRIVATE_H

#include "base/arena.h"
#include "distributed/common/mail.h"
#include "distributed/common/part.h"
#include "distributed/controller.h"
#include "memory/allocator.h"
#include "mesh/handle.h"
#include "world/queue.h"

/* ---- stages (resolution.c). A stage is a queue with a thread. If it has no thread, the caller
 * runs the stage ---- */

struct station {
	struct queue *queue; /* NULL: there is no thread, the caller runs the stage */
	struct thread *thread;
	enum wait_mode wait;
	void (*run)(void *context, void *item);
	void *context;
};

void station_start(struct station *station, const char *name, bool threaded,
	const struct controller_settings *settings, void (*run)(void *context, void *item),
	void *context);
/* Returns when everything that was passed to the stage before is done. */
void station_stop(struct station *station);
void station_pass(struct station *station, void *item);

/* ---- the table of notifications (spec 4.8.2.2; table.c) ---- */

struct distributed;
struct mesh_parts;

enum { MESHES_MAX = 4096 }; /* meshes that are opened in one run */

enum awaited_kind {
	AWAITED_ANSWER,
	AWAITED_EVENT,
	AWAITED_READ,
	AWAITED_WORDS,
	AWAITED_REQUEST,
};

/* An entry of the table of notifications: a command, and the hosts that have not answered it yet.
 * Sets of hosts are bit masks. The monitor of struct table protects all entries. */
struct awaited {
	struct awaited *next;
	enum awaited_kind kind;
	uint64_t number;	  /* number of the awaited command */
	struct mesh_parts *parts; /* the mesh of the command */
	uint32_t event;
	uint32_t hosts; /* hosts that have not answered yet */
	enum status status;
	bool kept; /* the main thread removes the entry */
	/* AWAITED_WORDS: the words of each host; the main thread frees them */
	uint32_t **words;     /* [host] the words of the host's answer */
	uint32_t words_count; /* number of words that are expected from each host */
	uint64_t most;	      /* MEMORY_WANTED: the largest number so far */
	/* AWAITED_READ: the memory for the data. When the last data have arrived, the mark SEEN of
	 * the operation is recorded. */
	struct handle_call call;
	uint8_t *data;
	bool one; /* true: the read is from a single device */
	struct mesh_spread spread;
	uint8_t *pieces[DISTRIBUTED_HOSTS_MAX];
};

struct table {
	struct monitor *told;
	struct awaited *first, **last;
	enum status fault; /* the fault of a host; it is permanent */
	enum status late;  /* status of the first failed command for which no caller waits. The next
			    * call that waits returns this status, and resets the member to OK */
	struct text fault_why, late_why;
	/* `silent`: hosts that timed out; `heard`: those of them that have sent something since
	 * then. After a time-out, commands that the controller was already handling are still sent,
	 * until the time `grace_end_ns` */
	uint32_t silent, heard;
	int64_t grace_end_ns;
	int64_t sent_ns; /* time at which the last command was sent, to any host */
	/* [host] number of the command that closes the host's last mesh; 0: none */
	uint64_t closing[DISTRIBUTED_HOSTS_MAX];
};

struct host {
	const char *name;
	uint32_t member; /* number that the hub gave the host */
	bool joined, told;
	char *link_address; /* address at which the host accepts connections of other executors;
			     * NULL: not known yet */
	int64_t heard_ns;   /* time at which the last message of the host arrived; protected by the
			     * table's monitor */
	struct arena arena;
	struct cluster_info info;  /* description of the host's machine; lies in the arena */
	struct device_range place; /* the host's devices in the virtual machine */
};

/* The hosts of a mesh, and the devices of each host. This struct is kept until the controller
 * closes, because orders and answers of the mesh may still be under way when a failed call has
 * freed the mesh's handle. */
struct mesh_parts {
	struct mesh_parts *next;   /* the mesh opened before */
	uint16_t number;	   /* number of the mesh in commands; never used again */
	struct distributed *open;  /* NULL if the mesh is closed */
	struct device_range place; /* the mesh's devices in the virtual machine */
	uint32_t taking;	   /* hosts that take part in the mesh */
	bool spans;		   /* true: every host opens the devices of all hosts as one mesh
				    * device (struct whole_config) */
	uint32_t initiating;	   /* with `spans`: hosts that need the data of broadcasts */
	/* [host] of hosts that take part: their devices, and the memory that they offer */
	struct part part[DISTRIBUTED_HOSTS_MAX];
	struct wire_memory memories[DISTRIBUTED_HOSTS_MAX][BUFFER_TYPE_COUNT];
};

/* DRAM that the controller has allocated, or will allocate, for executors (memory.c). */
enum claim_state { CLAIM_ASKED, CLAIM_GIVEN, CLAIM_REFUSED };

struct claim {
	enum claim_state state; /* atomic */
	uint64_t address;	/* valid if the state is CLAIM_GIVEN */
	struct awaited *asked;	/* CLAIM_ASKED: the table entry that waits for the executors'
				 * answers; each answer contains the number of bytes that the
				 * executor needs */
};

/* A command on its way to the executors (forward.c). */
struct share {
	uint32_t host; /* number of the host, or CHANNEL_ALL */
	const uint8_t *data;
	uint8_t *owned; /* a copy of the data, to which `data` points; freed with this struct. NULL:
			 * there is no copy */
	uint64_t bytes;
	bool whole;
};

struct parcel {
	uint32_t host;
	struct span message;
};

struct order {
	const struct mesh_parts *parts;
	struct wire_command command;
	struct arena arena;	  /* holds the lists of the command */
	uint32_t hosts;		  /* hosts to which the command is sent */
	bool same;		  /* all these hosts get the same command */
	bool all;		  /* the command writes the whole buffer */
	uint32_t needed;	  /* for a write to a mesh device that spans all hosts: the hosts
				   * that send data of this write to devices */
	uint32_t launches, waits; /* sub-devices on which the command starts programs or for which
				   * it waits, one bit each */
	struct claim *serves;	  /* PLACE_WORKLOAD: the claim for which memory must be allocated
				   * before this command is sent */
	struct claim *frees;	  /* claim whose memory is freed when this order has passed the
				   * stage of resolution (resolution.c) */
	uint32_t reserved;	  /* number of further messages of the command's answer. As many
				   * command numbers, just before the order's own number, are
				   * reserved for them */
	const uint8_t *data;
	uint8_t *owned;
	uint64_t bytes;
	struct mesh_spread spread;
	struct share shares[DISTRIBUTED_HOSTS_MAX];
	uint32_t share_count;
	struct parcel *parcels;
	uint32_t parcel_count;
};

struct controller {
	struct controller_settings settings;
	struct hub *hub;
	struct host hosts[DISTRIBUTED_HOSTS_MAX];
	uint32_t member_host[CHANNEL_MEMBERS_MAX]; /* [member] index of the host; UINT32_MAX:
						    * the member was dropped */
	struct arena arena;
	struct cluster_info *info;
	struct table table;
	struct text why;
	struct mail_writer writer; /* used by the serializing stage */
	struct letter letter;	   /* used by the decoding stage, if it has no thread */
	struct station resolve, serialize, send, deserialize, read;
	struct thread *receiver;
	bool ending;	       /* true: the receiver must end; atomic */
	bool receiving;	       /* true while a thread receives; used only if no thread is
				* dedicated to receiving; atomic */
	struct letter *unused; /* letters for reuse; atomic */
	bool started;
	uint64_t number;	   /* number of the last command */
	uint32_t ended;		   /* hosts that have ended with their last mesh */
	struct mesh_parts *meshes; /* the mesh that was opened last */
};

/* ---- start/meeting.c: executors connect to each other ---- */

/* Stores the address that a host has sent. Returns INVALID if it has sent one before. */
enum status meeting_learn(
	struct controller *controller, struct host *host, const struct wire_link_address *said);

/* Sends the addresses of all hosts to all hosts, and waits until the hosts are connected. Returns
 * OK, or an error with a sentence that names a host. */
enum status meeting_hold(struct controller *controller, int64_t deadline_ns, struct text *why);

/* ---- forward.c ---- */

/* Makes an order for `hosts` of a mesh, with `same` set. */
struct order *order_new(
	const struct mesh_parts *parts, enum wire_kind kind, uint32_t queue, uint32_t hosts);
void order_free(struct order *order);

/* Gives the order its number and sends it; takes ownership of the order. */
void forward(struct controller *controller, struct order *order);
/* Returns the number that forward() will give the order. With this number, the caller can call
 * table_await() for the answer before it sends the order. */
uint64_t forward_number(struct controller *controller, const struct order *order);
/* Returns the maximum number of data bytes in one message. */
uint64_t forward_piece_most(const struct controller *controller);
void forward_start(struct controller *controller);
void forward_stop(struct controller *controller);

/* ---- reverse.c ---- */

/* Receives one message and handles it, without threads. Returns OK or TIMEOUT. */
enum status reverse_take(struct controller *controller, int64_t deadline_ns);

/* If no thread is dedicated to receiving, two other threads receive: the application's thread while
 * it waits for an answer, and a sender whose window is full. Only one thread may receive at a time.
 * reverse_begin() returns true if it is this thread's turn, and false if another thread is
 * receiving. The application's thread must call reverse_begin() inside the table's monitor.
 * Otherwise, another thread could receive the awaited answer just before the application's thread
 * begins to wait for it. */
bool reverse_begin(struct controller *controller);
void reverse_end(struct controller *controller);
void reverse_start(struct controller *controller);
void reverse_stop(struct controller *controller);

/* ---- table.c ---- */

void table_init(struct table *table);
void table_fini(struct table *table);
struct awaited *table_await(struct controller *controller, struct mesh_parts *parts,
	enum awaited_kind kind, uint64_t number, uint32_t hosts);

/* Removes an entry and frees it. Must be called inside the monitor. */
void table_take_off(struct table *table, struct awaited *awaited);

/* ---- wait.c ---- */

/* A long wait for a host is divided into short waits, called looks. Each look should take a fixed
 * fraction of reply_ns. If a look takes more than twice that time, the controller's machine itself
 * was suspended, for example because a laptop slept or all processes were stopped. The hosts could
 * not answer during this time, so it does not count as silence of the hosts. */

/* Returns the time at which a look that begins now should end; `until_ns` if this is earlier. */
int64_t patience_look(const struct controller *controller, int64_t until_ns);
/* Returns for how long this machine was suspended; usually 0. Called at the end of a look that
 * should have ended at `look_ns`: if it ends much later, the machine was suspended. */
int64_t patience_held_ns(const struct controller *controller, int64_t look_ns);

/* Waits until all hosts have answered or the deadline has passed. Then removes the entry, except an
 * AWAITED_ANSWER that some hosts have not answered yet. Returns the first of these that applies:
 * the fault of a host; TIMEOUT if the deadline has passed; the status of an earlier command for
 * which no caller waited (table_late()); the worst status of the answers. */
enum status table_wait(struct controller *controller, struct awaited *awaited, int64_t deadline_ns);

/* Waits until each executor has reported how many bytes it needs, and sets *bytes to the largest
 * of these numbers. Called by the thread that resolves requests. Returns the worst status of the
 * answers, or the fault of a host. Does not report failures that table_late() has recorded; the
 * next thread that calls table_wait() reports them. */
enum status table_wait_request(
	struct controller *controller, struct awaited *awaited, uint64_t *bytes);

/* Records the failure of a command for which no caller waits. */
void table_late(struct controller *controller, enum status status, const char *why);

/* Returns the fault of a host; OK if no host has a fault. Does not block. After a fault,
 * controller_why() returns the sentence that describes it. Call this only in the thread that calls
 * the controller. */
enum status table_judge(struct controller *controller);

/* Waits, in the same way as table_wait(), for the mesh's event with this id. Returns at once if the
 * event has already been reached. After TIMEOUT, the caller may wait for the event again. */
enum status table_wait_event(struct controller *controller, const struct mesh_parts *parts,
	uint32_t event, int64_t deadline_ns);

/* Waits for an event that no host records, until a host fails or the deadline has passed. */
enum status table_wait_in_vain(struct controller *controller, int64_t deadline_ns);

/* Records that the command with this number closes the last mesh of each of these hosts. A host
 * that has answered this command may leave. */
void table_closing(struct controller *controller, uint32_t hosts, uint64_t number);
void table_lost(struct controller *controller, uint32_t host);

/* Marks a host as failed permanently. */
void table_fault(
	struct controller *controller, uint32_t host, enum status status, const char *what);
/* Returns the fault in the table; OK if there is none. */
enum status table_status(struct controller *controller);

/* Handles an answer of a host. */
void table_take(struct controller *controller, uint32_t host, const struct wire_command *answer);

/* ---- memory.c: functions that the stage of resolution calls ---- */

/* memory_serve() allocates the memory that executors have requested, and writes its address into
 * the command of the order. Returns false if this failed; the order must then not be sent.
 * memory_go_back() releases the memory that an order frees. */
bool memory_serve(struct controller *controller, struct order *order);
void memory_go_back(struct order *order);

/* ---- machine.c ---- */

/* Makes the virtual machine from the hosts' descriptions. */
enum status machine_make(struct controller *controller, struct text *why);

#endif
