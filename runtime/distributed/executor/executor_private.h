/* The executor inside its room: what it serves commands with. Its thread alone touches it, but for
 * the queues of stages. */
#ifndef DISTRIBUTED_EXECUTOR_PRIVATE_H
#define DISTRIBUTED_EXECUTOR_PRIVATE_H

#include "distributed/common/compiled.h"
#include "distributed/common/mail.h"
#include "distributed/common/part.h"
#include "distributed/executor.h"
#include "mesh/handle.h"
#include "mesh/trace.h"

enum { EVENTS_KEPT = 1 << 14, THINGS_MAX = 1 << 20, LANDING_SLOTS = 16 };

/* Things by the controller's numbers, which it uses again. */
struct things {
	void **at;
	uint32_t count;
};

/* Pinned memory of the executor's (executor_pinned.c). */
struct pinned {
	struct pinned *next;
	struct host_memory *memory;
	uint64_t bytes;
};

/* Pinned memory that messages are received in (executor_landing.c). */
struct landing {
	struct host_memory *memory;
	uint8_t *bytes;	      /* its, or `apart` where its own cannot be reached */
	uint8_t *apart;	      /* or NULL: then what lies in it is stored when it is used */
	uint64_t slot_bytes;  /* 0: messages are not received here */
	uint32_t first;	      /* where a frame begins in a slot */
	uint32_t count;	      /* of slots; atomic; 0 until the mesh is open */
	struct landing_slot { /* `home` first */
		struct extent_home home;
		bool taken; /* atomic */
	} slots[LANDING_SLOTS];
};

/* Data that came, in one of the three; where the first that is not NULL says. */
struct arrived {
	struct span landed; /* the message in a slot; with a reference */
	uint64_t offset;    /* of the data in the slots' memory */
	struct pinned *pinned;
	uint8_t *data;
};

struct remote_buffer {
	struct mesh_buffer *buffer; /* of the part's linear piece */
	struct mesh_spread spread;  /* over all hosts */
	uint32_t shards;	    /* of the part; 0: nothing is written or read here */
	/* of a write that comes in pieces */
	struct arrived pieces;
	uint64_t pieces_bytes, pieces_have; /* 0: none has come */
};

struct remote_workload {
	enum status status; /* of its description: what failed is held until it is freed */
	struct workload *workload;
	struct program **programs; /* by their index in the message; NULL: not of this part */
	uint32_t count;
	bool placed;
	uint8_t *given; /* binaries of a program that come in pieces */
	uint64_t given_have;
};

/* Reads of a trace that the part has devices of: which of its calls, and what each brings. */
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

/* What a command has left to do or to hold, in the order of its queue. */
enum pending_kind {
	PENDING_HELD,	/* data of a write, until the next point that is reached */
	PENDING_READ,	/* data are to be sent */
	PENDING_ANSWER, /* COMPLETED */
	PENDING_EVENT,	/* EVENT_REACHED */
	PENDING_POINT,	/* nothing: lets held data go */
};

struct pending {
	struct pending *next;
	enum pending_kind kind;
	uint64_t number, id;	 /* of the command, of an event */
	struct mesh_event point; /* of all kinds but PENDING_HELD */
	bool same_point;	 /* as what is in front of it */
	struct arrived arrived;	 /* held, or to be sent */
	uint64_t bytes;
};

struct pending_queue {
	struct pending *first, **last;
	uint64_t held_bytes; /* since the last point */
};

struct stages; /* executor_stages.c */

struct executor {
	const struct executor_settings *settings;
	struct cluster *cluster;
	struct mesh_system *system;
	struct channel *channel;
	struct mail_writer writer;
	struct stages *stages; /* NULL: one thread */
	struct letter letter;  /* of one thread */

	struct mesh_device *mesh;  /* NULL until it is opened */
	struct mesh_config config; /* of it */
	bool asks, compiles;	   /* where binaries are to lie; kernels */
	struct compiled compiled;
	struct part part;
	struct things buffers, workloads, traces;
	struct remote_event *events; /* [id % EVENTS_KEPT] */
	bool capturing[MESH_COMMAND_QUEUES_MAX];
	struct captured_reads captured[MESH_COMMAND_QUEUES_MAX];
	struct pending_queue pending[MESH_COMMAND_QUEUES_MAX];
	struct pinned *kept; /* pinned memory that nothing lies in */
	struct landing landing;
	struct span message; /* of the command that is served */

	uint64_t last;	    /* number of the last command */
	bool over;	    /* the loop ends */
	bool lost;	    /* nothing is sent any more */
	enum status status; /* that it ends with */
	struct text why;
};

/* ---- executor_answer.c ---- */

/* The loop ends, with the first status that it was told. */
void executor_end(struct executor *executor, enum status status, const char *what);

/* Sends an answer; the executor is over if the controller is lost. */
void executor_answer(struct executor *executor, const struct wire_command *answer);

/* COMPLETED for a command. */
void executor_complete(struct executor *executor, const struct wire_head *head, enum status status,
	const struct text *why);

/* The queue of a command, or NULL if there is no such queue or no mesh. */
struct command_queue *executor_queue(struct executor *executor, uint32_t queue);

/* ---- executor_serve.c ---- */

/* Executes one command, which is in order. */
void executor_serve(struct executor *executor, const struct wire_command *command);

/* ---- executor_mesh.c: OPEN_MESH, and the end; buffers ---- */
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

/* The event of an id; NULL if it is not kept. */
struct remote_event *executor_event(struct executor *executor, uint64_t id);
struct remote_event *executor_new_event(struct executor *executor, uint64_t id);

/* ---- executor_pending.c ---- */

/* A point of a queue: where all that it was sent is complete on these devices of the part, programs
 * on these sub-devices among it and no others (a bit each, mesh/sub_device.h). */
struct point {
	struct device_range range;
	uint32_t sub_devices;
	uint32_t operation; /* that it is the end of; 0: none */
};

/* The point on all devices of the part that is the end of an operation of these sub-devices. Of 0,
 * one that nothing here takes part in, devices that are not divided wait all the same. */
struct point executor_point(
	const struct executor *executor, uint32_t sub_devices, uint32_t operation);

/* Adds what is due at a point. */
void pending_add(struct executor *executor, const struct wire_head *head, enum pending_kind kind,
	struct point point, uint8_t *data, uint64_t bytes);

/* The same at the point that was added to the queue last. */
void pending_add_there(struct executor *executor, const struct wire_head *head,
	enum pending_kind kind, uint8_t *data, uint64_t bytes);

/* The same behind an event that was recorded already. */
void pending_add_event(
	struct executor *executor, const struct wire_head *head, const struct remote_event *event);

/* Holds the data of a write to memory of these sub-devices. */
void pending_hold(struct executor *executor, uint32_t queue, uint32_t sub_devices,
	struct arrived arrived, uint64_t bytes);

/* Answers what is reached; true if anything is left that will be. */
bool pending_look(struct executor *executor);

/* Waits for all of it, without answers. */
void pending_drop(struct executor *executor);

/* ---- executor_pinned.c ---- */

/* Pinned memory of at least so many bytes; NULL if the host window has no room. */
struct pinned *pinned_take(struct executor *executor, uint64_t bytes);
/* Nothing uses it any more. NULL is allowed. */
void pinned_keep(struct executor *executor, struct pinned *pinned);
/* Gives all that is kept back to the window. */
void pinned_drop(struct executor *executor);

/* ---- executor_landing.c ---- */

/* Has a member receive into slots, if choices allow; before it joins. */
void landing_init(struct executor *executor, struct channel_settings *channel);
/* Pins them, as many as there is room for; the mesh is open. */
void landing_open(struct executor *executor);
/* Whether data lie in a slot where a transfer may start: *offset, of the slots' memory. */
bool landing_has(struct executor *executor, const struct wire_bytes *data, uint64_t *offset);
/* The channel is closed, and no message is left. */
void landing_fini(struct executor *executor);

/* ---- executor_binaries.c ---- */
void executor_compile(struct executor *executor, const struct remote_workload *workload);
/* Tells the controller what the binaries take, if it is to say where they lie. */
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
/* Where the command's queue captures: what comes next is call `call` of the whole trace (from 1);
 * and it was a read of so many bytes. */
void executor_count(struct executor *executor, const struct wire_head *head, uint32_t call);
void executor_captured(struct executor *executor, uint32_t queue, uint32_t call, uint64_t bytes);

/* ---- executor_query.c ---- */
enum status executor_query(
	struct executor *executor, const struct wire_query *message, struct text *why);

/* ---- executor_things.c ---- */
void *things_find(const struct things *things, uint64_t number);
/* Puts a thing, or NULL, where none is, or one. OUT_OF_RANGE above THINGS_MAX. */
enum status things_put(struct things *things, uint64_t number, void *thing);

/* ---- executor_stages.c ---- */
struct stages *stages_start(struct executor *executor);
void stages_stop(struct stages *stages);
/* Whether they do; of NULL: no. */
bool stages_receive(const struct stages *stages);
bool stages_sends(const struct stages *stages);
/* The next letter; TIMEOUT at the deadline, CLOSED when the controller is lost. Given back when
 * done with.
 */
enum status stages_next(struct stages *stages, int64_t deadline_ns, struct letter **letter);
void stages_give_back(struct stages *stages, struct letter *letter);
/* Has the message sent; takes it. */
void stages_send(struct stages *stages, struct span message);

#endif
