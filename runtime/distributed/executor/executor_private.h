/* Declarations for the files of this folder. Only the executor's own thread uses them, with two
 * exceptions: the threads of the stages also use the stages' queues, and a completion reader takes
 * turns with the executor's thread (executor_reader.c). */
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
 * that the controller gave the object. The controller reuses numbers of freed objects. */
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
	uint8_t *bytes;	      /* its bytes; or `apart`, if the host cannot access them */
	uint8_t *apart;	      /* or NULL; its contents are stored to the pinned memory when used */
	uint64_t slot_bytes;  /* 0: messages are not received here */
	uint32_t first;	      /* offset of a frame in a slot */
	uint32_t count;	      /* of slots; atomic; 0 until the mesh is open */
	struct landing_slot { /* `home` first */
		struct extent_home home;
		bool taken; /* atomic */
	} slots[LANDING_SLOTS];
};

/* Incoming data in one of three places, given by the first member that is not NULL. */
struct arrived {
	struct span landed; /* the message in a slot; holds a reference */
	uint64_t offset;    /* of the data in the memory of the slots */
	struct pinned *pinned;
	uint8_t *data;
};

struct remote_buffer {
	struct mesh_buffer *buffer; /* of the part's linear piece */
	struct mesh_spread spread;  /* over all hosts */
	uint32_t shards;	    /* of the part; 0: nothing is written or read here */
	/* a write that arrives in pieces */
	struct arrived pieces;
	uint64_t pieces_bytes, pieces_have; /* 0: none has arrived */
};

struct remote_workload {
	enum status status; /* of its description; a failed workload is kept until it is freed */
	struct workload *workload;
	struct program **programs; /* by index in the message; NULL: not on this part */
	uint32_t count;
	bool placed;
	uint8_t *given; /* binaries of a program that arrive in pieces */
	uint64_t given_have;
};

/* The reads that a trace captured on devices of this part. Each entry has the number of the
 * captured call and the number of bytes that it reads. */
struct captured_reads {
	struct captured_read {
		uint32_t call;
		uint64_t bytes;
	} * at;
	uint32_t count;
};

struct remote_event {
	uint64_t id;
	struct mesh_event event; /* unless the part has none of its devices */
	bool here;
};

/* What remains to be done for a command, in the order of its queue. */
enum pending_kind {
	PENDING_HELD,	/* data of a write, kept until the next point is reached */
	PENDING_READ,	/* data to be sent */
	PENDING_ANSWER, /* COMPLETED */
	PENDING_EVENT,	/* EVENT_REACHED */
	PENDING_POINT,	/* nothing, only releases held data */
};

struct pending {
	struct pending *next;
	enum pending_kind kind;
	uint64_t number, id;	 /* of the command, of an event */
	struct mesh_event point; /* of all kinds except PENDING_HELD */
	enum status status;	 /* at the point, when it is reached */
	bool same_point;	 /* the same point as the entry before */
	struct arrived arrived;	 /* held, or to be sent */
	uint64_t bytes;
};

struct pending_queue {
	struct pending *first, **last;
	uint64_t held_bytes; /* since the last point */
	enum status status;  /* at the last point that was reached */
};

struct stages;		/* executor_stages.c */
struct executor_reader; /* executor_reader.c */

/* A turn at something that one thread uses at a time (executor_turns.c). */
struct turn {
	struct monitor *monitor; /* NULL: no turns */
	enum wait_mode wait;
	uint32_t asked, served; /* numbers of threads so far */
	bool changed;		/* an action that waits for a point was added in this turn */
	bool announced;		/* in an earlier turn; protected by the monitor */
};

struct executor {
	const struct executor_settings *settings;
	struct cluster *cluster;
	struct mesh_system *system;
	struct channel *channel;
	struct mail_writer writer;
	struct stages *stages;		/* NULL: single-threaded */
	struct letter letter;		/* of the single thread */
	struct executor_reader *reader; /* NULL: the event loop looks at completions */
	struct turn mesh_turn, channel_turn;

	struct mesh_device *mesh;  /* NULL until opened */
	struct mesh_config config; /* of it */
	bool asks, compiles;	   /* ask where binaries go; compile kernels */
	struct compiled compiled;
	struct part part;
	struct things buffers, workloads, traces;
	struct remote_event *events; /* [event_room], by id; the controller counts from 1 */
	uint64_t event_room;
	bool capturing[MESH_COMMAND_QUEUES_MAX];
	struct captured_reads captured[MESH_COMMAND_QUEUES_MAX];
	struct pending_queue pending[MESH_COMMAND_QUEUES_MAX];
	struct pinned *kept; /* unused pinned memory */
	struct landing landing;
	struct span message; /* of the command being served */

	uint64_t last;	    /* number of the last command */
	bool over;	    /* the loop ends; atomic */
	bool lost;	    /* do not send any more */
	enum status status; /* result of the loop */
	struct text why;
};

/* ---- executor_answer.c ---- */

/* Ends the loop; the status of the first call is kept. */
void executor_end(struct executor *executor, enum status status, const char *what);

/* Sends an answer. Ends the executor if the controller is lost. */
void executor_answer(struct executor *executor, const struct wire_command *answer);

/* Answers a command with COMPLETED. */
void executor_complete(struct executor *executor, const struct wire_head *head, enum status status,
	const struct text *why);

/* The queue of a command, or NULL if there is no such queue or no mesh. */
struct command_queue *executor_queue(struct executor *executor, uint32_t queue);

/* ---- executor_serve.c ---- */

/* Executes one command, which is in order. */
void executor_serve(struct executor *executor, const struct wire_command *command);

/* ---- executor_mesh.c: OPEN_MESH and closing; buffers ---- */
enum status executor_open(
	struct executor *executor, const struct wire_open_mesh *message, struct text *why);
void executor_close(struct executor *executor);
enum status executor_create_buffer(
	struct executor *executor, const struct wire_create_buffer *message, struct text *why);
enum status executor_free_buffer(struct executor *executor, uint64_t buffer);

/* ---- executor_sub_devices.c ---- */
enum status executor_divide(
	struct executor *executor, const struct wire_divide_devices *message, struct text *why);

/* ---- executor_data.c ---- */
enum status executor_write(
	struct executor *executor, const struct wire_write_buffer *message, struct text *why);
enum status executor_read(
	struct executor *executor, const struct wire_read_buffer *message, struct text *why);
enum status executor_load(
	struct executor *executor, const struct wire_load_shard *message, struct text *why);

/* ---- executor_events.c ---- */
enum status executor_record(
	struct executor *executor, const struct wire_record_event *message, struct text *why);
enum status executor_wait(
	struct executor *executor, const struct wire_wait_for_event *message, struct text *why);
enum status executor_synchronize(
	struct executor *executor, const struct wire_synchronize_event *message, struct text *why);
enum status executor_finish(
	struct executor *executor, const struct wire_command *command, struct text *why);

/* The event with this id, valid until the next new one; NULL if it was not recorded. */
struct remote_event *executor_event(struct executor *executor, uint64_t id);

/* A new event; NULL if the id is not below EVENTS_MAX. */
struct remote_event *executor_new_event(struct executor *executor, uint64_t id);

/* ---- executor_pending.c ---- */

/* A point of a queue. The point is reached when all earlier work of the queue is complete on the
 * devices in `range`. Programs count only if they run on the sub-devices in `sub_devices` (one bit
 * each, mesh/sub_device.h). */
struct point {
	struct device_range range;
	uint32_t sub_devices;
	uint32_t operation; /* whose end it marks; 0: none */
};

/* Returns the point at which an operation on the sub-devices in `sub_devices` ends, on all devices
 * of the part. `sub_devices` is 0 if no device of the part takes part in the operation. If the
 * devices are not divided into sub-devices, `sub_devices` is ignored, and the point is reached when
 * everything is complete. */
struct point executor_point(
	const struct executor *executor, uint32_t sub_devices, uint32_t operation);

/* Adds an action at a point. */
void pending_add(struct executor *executor, const struct wire_head *head, enum pending_kind kind,
	struct point point, uint8_t *data, uint64_t bytes);

/* Adds an action at the point added to the queue last. */
void pending_add_there(struct executor *executor, const struct wire_head *head,
	enum pending_kind kind, uint8_t *data, uint64_t bytes);

/* Adds an action at an event that was recorded before. */
void pending_add_event(
	struct executor *executor, const struct wire_head *head, const struct remote_event *event);

/* Keeps the data of a write to memory of these sub-devices. */
void pending_hold(struct executor *executor, uint32_t queue, uint32_t sub_devices,
	struct arrived arrived, uint64_t bytes);

/* Takes the first action whose point has been reached, and sets *queue to its queue. Returns NULL
 * if there is none. */
struct pending *pending_take(struct executor *executor, uint32_t *queue);

/* Copies the next points of all queues. Returns their number. */
uint32_t pending_points(
	const struct executor *executor, struct mesh_event points[MESH_COMMAND_QUEUES_MAX]);

/* Answers the command of an action that was taken, and frees the action. */
void pending_answer(struct executor *executor, struct pending *pending, uint32_t queue);

/* Answers all commands whose points have been reached. Returns true if some points have not been
 * reached yet. */
bool pending_look(struct executor *executor);

/* Frees all entries without answering them. */
void pending_drop(struct executor *executor);

/* ---- executor_reader.c ---- */
struct executor_reader *executor_reader_start(struct executor *executor);
/* Ends the thread; call it before the mesh and the channel are closed. NULL is allowed. */
void executor_reader_stop(struct executor_reader *reader);

/* ---- executor_turns.c ----
 * The event loop and the reader hold the turn at the mesh while they use the mesh and the pending
 * actions, and the turn at the channel while they send. Without turn_init() there is no reader, and
 * turns do nothing. */
void turn_init(struct turn *turn, const char *what, enum wait_mode wait);
void turn_fini(struct turn *turn);
void turn_take(struct turn *turn);
void turn_give(struct turn *turn);

/* ---- executor_pinned.c ---- */

/* Pinned memory of at least `bytes` bytes; NULL if the host window has no room. */
struct pinned *pinned_take(struct executor *executor, uint64_t bytes);
/* Keeps memory that nothing uses any more, for later writes. NULL is allowed. */
void pinned_keep(struct executor *executor, struct pinned *pinned);
/* Returns all kept memory to the window. */
void pinned_drop(struct executor *executor);

/* ---- executor_landing.c ---- */

/* Lets a member receive into slots, if the choices allow it; call it before joining. */
void landing_init(struct executor *executor, struct channel_settings *channel);
/* Pins as many slots as there is room for; the mesh is open. */
void landing_open(struct executor *executor);
/* Returns true if `data` lie in a slot, at an address where a transfer may start. If so, sets
 * *offset to the offset of the data in the memory of all slots. */
bool landing_has(struct executor *executor, const struct wire_bytes *data, uint64_t *offset);
/* Frees the slots; the channel is closed, and no message is left. */
void landing_fini(struct executor *executor);

/* ---- executor_binaries.c ---- */
void executor_compile(struct executor *executor, const struct remote_workload *workload);
/* Tells the controller what the binaries need, if it decides where they go. */
void executor_ask(struct executor *executor, const struct wire_head *head,
	const struct remote_workload *workload);
enum status executor_place_workload(
	struct executor *executor, const struct wire_place_workload *message, struct text *why);
enum status executor_give_binaries(
	struct executor *executor, const struct wire_give_binaries *message, struct text *why);
enum status executor_give_commands(
	struct executor *executor, const struct wire_give_commands *message, struct text *why);

/* ---- executor_programs.c, executor_traces.c ---- */
enum status executor_run_workload(
	struct executor *executor, const struct wire_enqueue_program *message, struct text *why);
enum status executor_set_arguments(
	struct executor *executor, const struct wire_set_runtime_args *message, struct text *why);
enum status executor_free_workload(struct executor *executor, uint64_t workload);
enum status executor_trace(
	struct executor *executor, const struct wire_command *command, struct text *why);
void executor_free_traces(struct executor *executor);
/* Both functions are for calls on a queue that captures a trace. executor_count() sets the number
 * of the next captured call in the trace, counted from 1. executor_captured() records that the call
 * with number `call` reads `bytes` bytes. */
void executor_count(struct executor *executor, const struct wire_head *head, uint32_t call);
void executor_captured(struct executor *executor, uint32_t queue, uint32_t call, uint64_t bytes);

/* ---- executor_query.c ---- */
enum status executor_query(
	struct executor *executor, const struct wire_query *message, struct text *why);

/* ---- executor_things.c ---- */
void *things_find(const struct things *things, uint64_t number);
/* Stores an object, or NULL, under the number. OUT_OF_RANGE above THINGS_MAX. */
enum status things_put(struct things *things, uint64_t number, void *thing);

/* ---- executor_stages.c ---- */
struct stages *stages_start(struct executor *executor);
void stages_stop(struct stages *stages);
/* True if there is a thread for it; false for NULL. */
bool stages_receive(const struct stages *stages);
bool stages_sends(const struct stages *stages);
/* Waits for the next command, and sets *letter to it; the caller returns the letter with
 * stages_give_back(). Returns OK; TIMEOUT at the deadline; CLOSED if the controller is lost;
 * INVALID if the message is not a command. */
enum status stages_next(struct stages *stages, int64_t deadline_ns, struct letter **letter);
void stages_give_back(struct stages *stages, struct letter *letter);
/* Queues the message for sending; takes it over. */
void stages_send(struct stages *stages, struct span message);

#endif
