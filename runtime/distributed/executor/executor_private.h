/* Declarations for the files of this folder. Only the executor's own thread uses the objects, with
 * two exceptions. The threads of the stages also use the queues of the stages. A completion reader
 * takes turns with the executor's thread (executor_reader.c). */
#ifndef DISTRIBUTED_EXECUTOR_PRIVATE_H
#define DISTRIBUTED_EXECUTOR_PRIVATE_H

#include "distributed/common/described.h"
#include "distributed/common/mail.h"
#include "distributed/common/part.h"
#include "distributed/executor.h"
#include "mesh/event.h"
#include "mesh/handle.h"
#include "mesh/trace.h"

enum { EVENTS_MAX = 1 << 24, THINGS_MAX = 1 << 20, LANDING_SLOTS = 16 };

/* The executor's objects of one kind, for example its buffers. The index of an object is the number
 * that the controller has given it. The controller reuses the numbers of freed objects. */
struct things {
	void **at;
	uint32_t count;
};

/* Pinned memory of the executor (executor_pinned.c). */
struct pinned {
	struct pinned *next;
	struct host_memory *memory;
	uint64_t bytes;
};

/* Pinned memory in which messages are received (executor_landing.c). */
struct landing {
	struct host_memory *memory;
	const struct served *of; /* the mesh whose devices read from it */
	uint8_t *bytes;		 /* memory into which the host receives: the pinned memory, or
				  * `apart` if the host cannot access pinned memory */
	uint8_t *apart;		 /* NULL, or ordinary memory whose contents are copied to the pinned
				  * memory before a device reads them */
	uint64_t slot_bytes;	 /* size of a slot; 0: messages are not received into slots */
	uint32_t first;		 /* offset of a frame in a slot */
	uint32_t count;		 /* number of slots; 0 until the mesh is open; atomic */
	struct landing_slot {	 /* `home` must be the first member */
		struct extent_home home;
		bool taken; /* true while a message is in the slot; atomic */
	} slots[LANDING_SLOTS];
};

/* Incoming data in one of three places. The first member that is not NULL has the data. */
struct arrived {
	struct span landed; /* the message in a slot, with a reference */
	uint64_t offset;    /* offset of the data in the memory of the slots */
	struct pinned *pinned;
	uint8_t *data;
};

struct remote_buffer {
	struct mesh_buffer *buffer; /* buffer for the part's linear piece */
	struct mesh_spread spread;  /* how the buffer is spread over all hosts */
	uint32_t shards;	    /* number of shards of the part; 0: this host neither writes nor
				     * reads the buffer */
	uint32_t near_shards;	    /* number of shards of this host */
	/* data of a write that arrives in pieces */
	struct arrived pieces;
	/* bytes of the whole write, and bytes that have arrived; 0: no piece has arrived */
	uint64_t pieces_bytes, pieces_have;
};

struct remote_workload {
	enum status status; /* result of reading the workload's description; a workload with an
			     * error is kept until the controller frees it */
	struct workload *workload;
	struct program **programs; /* [index in the message] NULL: the program runs on no device of
				    * this part */
	uint32_t count;
	bool placed;
	uint8_t *given; /* binaries of a program that arrive in pieces */
	uint64_t given_have;
};

/* The reads that a trace has captured, if they read from devices of this executor. Each entry
 * contains the number of the captured call, and the number of bytes that the call reads. */
struct captured_reads {
	struct captured_read {
		uint32_t call;
		uint64_t bytes;
		bool answers, cut; /* `answers`: this host answers the read; `cut`: it sends only
				    * its own part of the data in `spread` */
		struct mesh_spread spread;
	} * at;
	uint32_t count;
};

struct remote_event {
	uint64_t id;
	struct mesh_event event; /* valid unless none of the event's devices belong to the part */
	bool here;
};

/* Actions that remain to be done for commands, in the order of their queue. */
enum pending_kind {
	PENDING_HELD,	/* keep the data of a write until the next point is reached */
	PENDING_READ,	/* send the data of a read */
	PENDING_ANSWER, /* send COMPLETED */
	PENDING_EVENT,	/* send EVENT_REACHED */
	PENDING_POINT,	/* do nothing except releasing held data */
};

struct pending {
	struct pending *next;
	enum pending_kind kind;
	uint64_t number, id;	 /* number of the command; id of the event */
	struct mesh_event point; /* valid for all kinds except PENDING_HELD */
	enum status status;	 /* status of the queue when the point is reached */
	bool same_point;	 /* the point is the same as the point of the previous entry */
	struct arrived arrived;	 /* data to keep or to send */
	uint64_t bytes;
	struct mesh_spread *spread; /* NULL: all data are sent. Otherwise, only this host's part
				     * of the data is sent, and `spread` describes which part
				     * this is. Owned */
};

struct pending_queue {
	struct pending *first, **last;
	uint64_t held_bytes; /* size of the data kept since the last entry with a point */
	enum status status;  /* status at the last point that was reached */
};

struct executor;	/* below */
struct stages;		/* defined in executor_stages.c */
struct executor_reader; /* defined in executor_reader.c */

/* The right to use an object that only one thread may use at a time (executor_turns.c). */
struct turn {
	struct monitor *monitor; /* NULL: there are no turns */
	enum wait_mode wait;
	/* number of threads that have asked for the turn, and number of threads that have got it */
	uint32_t asked, served;
	bool changed;	/* an action that waits for a point was added during this turn */
	bool announced; /* an earlier turn has added an action; protected by the monitor */
};

/* A mesh of the executor, which is the executor's part of a mesh of the controller. This struct is
 * kept until the executor ends, because a completion reader may still send answers for a mesh that
 * has been closed. */
struct served {
	struct executor *executor;
	bool opened;		   /* the mesh is open, or was */
	struct mesh_device *mesh;  /* NULL if the mesh is closed */
	struct mesh_config config; /* configuration of the open mesh */
	/* the executor asks the controller for the address of binaries; it compiles kernels */
	bool asks, compiles;
	struct part part; /* the devices that this executor's mesh has */
	struct part near; /* the devices of this host; equal to `part`, unless the mesh spans all
			   * hosts */
	struct things buffers, workloads, traces;
	struct remote_event *events; /* [event_room], by id; the controller counts ids from 1 */
	uint64_t event_room;
	bool capturing[MESH_COMMAND_QUEUES_MAX];
	struct captured_reads captured[MESH_COMMAND_QUEUES_MAX];
	struct pending_queue pending[MESH_COMMAND_QUEUES_MAX];
	struct pinned *kept; /* unused pinned memory */
};

struct executor {
	const struct executor_settings *settings;
	struct cluster *cluster;
	struct mesh_system *system;
	struct channel *channel;
	struct mail_writer writer;
	struct stages *stages;		/* NULL: the executor has a single thread */
	struct letter letter;		/* used if there is a single thread */
	struct executor_reader *reader; /* NULL: the event loop checks completions */
	struct turn mesh_turn, channel_turn;
	struct links *links;   /* connections to other executors; NULL: none */
	struct text links_why; /* reason why a connection is lost; written before `links_lost` */
	bool links_fail;       /* a thread is writing `links_why`, or has written it; atomic */
	bool links_lost;       /* a connection is lost, and `links_why` is written; atomic */

	struct things meshes; /* struct served, by the controller's number of the mesh */
	struct compiled compiled;
	struct landing landing;
	struct span message; /* message of the command that is being served */

	uint64_t last;	    /* number of the last command */
	bool over;	    /* true: the loop must end; atomic */
	bool lost;	    /* true: send nothing more */
	enum status status; /* result of the loop */
	struct text why;
};

/* ---- executor_answer.c ---- */

/* Ends the loop. If it is called several times, the status of the first call counts. */
void executor_end(struct executor *executor, enum status status, const char *what);

/* Sends an answer. Ends the executor if the connection to the controller is lost. */
void executor_answer(struct executor *executor, const struct wire_command *answer);

/* Answers a command with COMPLETED. */
void executor_complete(struct executor *executor, const struct wire_head *head, enum status status,
	const struct text *why);

/* Allows several threads to answer. Before this call, only one thread may answer. */
void executor_share_channel(struct executor *executor);

/* Returns the queue of a command; NULL if the queue does not exist or the mesh is closed. */
struct command_queue *executor_queue(struct served *served, uint32_t queue);

/* ---- executor_serve.c ---- */

/* Executes one command. The number of the command must be in order. */
void executor_serve(struct executor *executor, const struct wire_command *command);

/* ---- executor_mesh.c: OPEN_MESH and closing; buffers ---- */
/* Returns the mesh with this number; NULL if it was never opened. */
struct served *executor_mesh(const struct executor *executor, uint32_t number);
enum status executor_open(struct executor *executor, uint32_t number,
	const struct wire_open_mesh *message, struct text *why);
/* Closes a mesh. Does nothing if it is closed. */
void executor_close(struct served *served);
/* Closes all meshes, and frees them. */
void executor_close_all(struct executor *executor);
enum status executor_create_buffer(
	struct served *served, const struct wire_create_buffer *message, struct text *why);
enum status executor_free_buffer(struct served *served, uint64_t buffer);

/* ---- executor_sub_devices.c ---- */
enum status executor_divide(
	struct served *served, const struct wire_divide_devices *message, struct text *why);
enum status executor_add_division(
	struct served *served, const struct wire_add_division *message, struct text *why);
enum status executor_load_division(
	struct served *served, const struct wire_load_division *message, struct text *why);

/* ---- executor_data.c ---- */
enum status executor_write(
	struct served *served, const struct wire_write_buffer *message, struct text *why);
enum status executor_read(
	struct served *served, const struct wire_read_buffer *message, struct text *why);
enum status executor_load(
	struct served *served, const struct wire_load_shard *message, struct text *why);

/* ---- executor_events.c ---- */
enum status executor_record(
	struct served *served, const struct wire_record_event *message, struct text *why);
enum status executor_wait(
	struct served *served, const struct wire_wait_for_event *message, struct text *why);
enum status executor_synchronize(
	struct served *served, const struct wire_synchronize_event *message, struct text *why);
enum status executor_finish(
	struct served *served, const struct wire_command *command, struct text *why);

/* Returns the event with this id, valid until the next event is added. Returns NULL if the event
 * was not recorded. */
struct remote_event *executor_event(struct served *served, uint64_t id);

/* Adds an event and returns it. Returns NULL if the id is not below EVENTS_MAX. */
struct remote_event *executor_new_event(struct served *served, uint64_t id);

/* ---- executor_pending.c ---- */

/* A point in the work of a queue. It is reached when the earlier work of the queue is complete on
 * the devices in `range`. Programs need not be complete if they run only on sub-devices that are
 * not in `sub_devices` (one bit each, mesh/sub_device.h). */
struct point {
	struct device_range range;
	uint32_t sub_devices;
	uint32_t operation; /* number of the operation that ends at the point; 0: none */
};

/* Returns the point at which an operation ends on all devices of this executor. The operation uses
 * the sub-devices in `sub_devices`; 0 means that it uses none of these devices. If the devices are
 * not divided into sub-devices, `sub_devices` is ignored, and the point is reached when all earlier
 * work is complete. */
struct point executor_point(const struct served *served, uint32_t sub_devices, uint32_t operation);

/* Adds an action at a point. */
void pending_add(struct served *served, const struct wire_head *head, enum pending_kind kind,
	struct point point, uint8_t *data, uint64_t bytes);

/* Restricts the read that was added to the queue last: only the data of this host will be sent.
 * `spread` describes how the data are spread over all hosts. */
void pending_cut(struct served *served, uint32_t queue, const struct mesh_spread *spread);

/* Adds an action at the point that was added to the queue last. */
void pending_add_there(struct served *served, const struct wire_head *head, enum pending_kind kind,
	uint8_t *data, uint64_t bytes);

/* Adds an action at an event that was recorded earlier. */
void pending_add_event(
	struct served *served, const struct wire_head *head, const struct remote_event *event);

/* Keeps the data of a write whose target these sub-devices may use. */
void pending_hold(struct served *served, uint32_t queue, uint32_t sub_devices,
	struct arrived arrived, uint64_t bytes);

/* Takes an action whose point has been reached from the list of its queue. Searches the queues of
 * all meshes. Sets *of and *queue to the action's mesh and queue. Returns NULL if there is no such
 * action. */
struct pending *pending_take(struct executor *executor, struct served **of, uint32_t *queue);

/* Copies the next points of all queues of a mesh. Returns their number. */
uint32_t pending_points(
	const struct served *served, struct mesh_event points[MESH_COMMAND_QUEUES_MAX]);

/* Answers the command of an action that was taken with pending_take(), and frees the action. */
void pending_answer(struct served *served, struct pending *pending, uint32_t queue);

/* In all meshes, answers the commands that wait for points in the queues which have been reached.
 * Returns true if some commands wait for points that have not been reached yet. */
bool pending_look(struct executor *executor);

/* Frees all entries without answering them. */
void pending_drop(struct served *served);

/* ---- executor_reader.c ---- */
struct executor_reader *executor_reader_start(struct executor *executor);
/* Ends the thread. Must be called before the mesh and the channel are closed. NULL is allowed. */
void executor_reader_stop(struct executor_reader *reader);

/* ---- executor_turns.c ---- A turn is the right to use the mesh or the channel. The event loop and
 * the reader need the mesh's turn to use the mesh and the pending actions, and the channel's turn
 * to send. If turn_init() was not called, there is only one thread, and turns have no effect. */
void turn_init(struct turn *turn, const char *what, enum wait_mode wait);
void turn_fini(struct turn *turn);
void turn_take(struct turn *turn);
void turn_give(struct turn *turn);

/* ---- executor_links.c: connections to other executors ---- */

/* Listens for other executors and sends the address to the controller. Then waits for the addresses
 * of the other executors, connects to them, and reports to the controller whether this succeeded.
 * Returns OK, or an error with a sentence in executor->why. Does nothing if the settings have no
 * links. */
enum status executor_link(struct executor *executor, int64_t deadline_ns);

/* Returns the time at which to call executor_links_look() again, at most `deadline_ns`. */
int64_t executor_links_next(const struct executor *executor, int64_t deadline_ns);

/* Ends the loop if the connection to another executor is lost. */
void executor_links_look(struct executor *executor);

/* Closes the connections. */
void executor_unlink(struct executor *executor);

/* ---- executor_pinned.c ---- */

/* Returns pinned memory of at least `bytes` bytes; NULL if the host window has no room. */
struct pinned *pinned_take(struct served *served, uint64_t bytes);
/* Keeps memory that is no longer used, for later writes. NULL is allowed. */
void pinned_keep(struct served *served, struct pinned *pinned);
/* Returns all kept memory to the host window. */
void pinned_drop(struct served *served);

/* ---- executor_landing.c ---- */

/* Makes the transport receive data directly into slots, which are pieces of pinned memory. Does
 * nothing if the chosen variants do not allow this. Must be called before joining. */
void landing_init(struct executor *executor, struct channel_settings *channel);
/* Called for the first mesh that is opened. Pins up to LANDING_SLOTS slots of host memory, into
 * which data for devices are received; fewer if the host window lacks room. Only the devices of
 * this mesh read data from slots. */
void landing_open(struct served *served);
/* Returns true if `data` lie in a slot, at an address where a transfer may start. In this case,
 * sets *offset to the offset of the data in the memory of all slots. */
bool landing_has(struct served *served, const struct wire_bytes *data, uint64_t *offset);
/* Frees the slots. The channel must be closed, and all messages released. */
void landing_fini(struct executor *executor);

/* ---- executor_binaries.c ---- */
void executor_compile(struct served *served, const struct remote_workload *workload);
/* If the controller allocates memory for binaries on request, requests the memory from it. */
void executor_ask(struct served *served, const struct wire_head *head,
	const struct remote_workload *workload);
enum status executor_place_workload(
	struct served *served, const struct wire_place_workload *message, struct text *why);
enum status executor_give_binaries(
	struct served *served, const struct wire_give_binaries *message, struct text *why);
enum status executor_give_commands(
	struct served *served, const struct wire_give_commands *message, struct text *why);

/* ---- executor_programs.c, executor_traces.c ---- */
enum status executor_run_workload(
	struct served *served, const struct wire_enqueue_program *message, struct text *why);
enum status executor_set_arguments(
	struct served *served, const struct wire_set_runtime_args *message, struct text *why);
enum status executor_add_route(
	struct served *served, const struct wire_add_route *message, struct text *why);
enum status executor_free_workload(struct served *served, uint64_t workload);
enum status executor_trace(
	struct served *served, const struct wire_command *command, struct text *why);
void executor_free_traces(struct served *served);
/* For calls on a queue that captures a trace. executor_count() sets the number that the next
 * captured call gets in the trace, counted from 1. executor_captured() records a captured call that
 * reads. */
void executor_count(struct served *served, const struct wire_head *head, uint32_t call);
void executor_captured(struct served *served, uint32_t queue, const struct captured_read *read);

/* ---- executor_query.c ---- */
enum status executor_query(
	struct served *served, const struct wire_query *message, struct text *why);
enum status executor_measure(
	struct served *served, const struct wire_measure_fabric *message, struct text *why);

/* ---- executor_things.c ---- */
void *things_find(const struct things *things, uint64_t number);
/* Stores an object, or NULL, under the number. Returns OUT_OF_RANGE if the number is above
 * THINGS_MAX. */
enum status things_put(struct things *things, uint64_t number, void *thing);

/* ---- executor_stages.c ---- */
struct stages *stages_start(struct executor *executor);
void stages_stop(struct stages *stages);
/* Return true if there is a thread for the stage; false if `stages` is NULL. */
bool stages_receive(const struct stages *stages);
bool stages_sends(const struct stages *stages);
/* Waits for the next command, and sets *letter to it. The caller returns the letter with
 * stages_give_back(). Returns OK. Returns TIMEOUT if the deadline has passed, CLOSED if the
 * connection to the controller is lost, and INVALID if the message is not a command. */
enum status stages_next(struct stages *stages, int64_t deadline_ns, struct letter **letter);
void stages_give_back(struct stages *stages, struct letter *letter);
/* Puts the message into the queue for sending; takes ownership of the message. */
void stages_send(struct stages *stages, struct span message);

#endif
