/* What the files of the client share. Functions that return false have set outcome, and diag or
 * why. */
#ifndef BENCH_CLIENT_PRIVATE_H
#define BENCH_CLIENT_PRIVATE_H

#include "bench/client/client.h"
#include "distributed/loader.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/program.h"
#include "mesh/queue.h"
#include "programs/gather.h"

struct client_buffer {
	struct client_buffer *next;
	const char *name;
	const struct write_step *keys; /* of the step that made it */
	struct location where;	       /* that stands there */
	struct handle_buffer *buffer;
	struct mesh_gather *gather;	       /* of reads of all of it; NULL: nobody reads it */
	uint64_t bytes, device_bytes, gathers; /* reads of all of it so far */
	const uint8_t *written;	     /* what a read of all must give, NULL: nobody knows */
	const uint8_t **parts;	     /* [device], what a read of its part must give, or NULL */
	struct client_image *images; /* what is pieced together of parts */
	struct client_read *reads;   /* not compared yet */
	struct client_pinned *spare; /* pinned memory that no read is under way into */
};

/* Pinned memory as large as a buffer. */
struct client_pinned {
	struct client_pinned *next;
	struct host_memory *memory;
};

struct client_image {
	struct client_image *next;
	uint8_t *data;
};

/* Memory that reads of one and the same content go to. */
struct client_read {
	struct client_read *next;
	const uint8_t *expected;
	uint32_t queue, count;
	struct device_range range; /* devices that it comes from */
	uint64_t bytes;
	uint8_t *data;
	bool traced;		      /* the data are the step's, which every replay reads into */
	struct client_pinned *pinned; /* it comes from there first, or NULL */
};

struct client_program {
	struct program *program;
	const struct program_keys *keys;
	struct device_range range;
	uint32_t generation;	      /* of its arguments */
	struct client_acting *acting; /* of a program of the library, or NULL */
};

/* What an enqueue_workload step launches. */
struct client_workload {
	struct client_workload *next;
	struct workload *workload;
	const struct step *step;
	uint32_t launches; /* times that it was enqueued, or replayed */
	uint32_t program_count;
	struct client_program programs[];
};

struct client_event {
	struct client_event *next;
	const char *name;
	struct location where; /* of the last step that is to record it */
	struct handle_event event;
	bool recorded;
	bool to_executors;	      /* or to the host, over these */
	struct handle_event captured; /* what a trace has of it */
	bool in_capture;	      /* while that is captured, it is what later waits mean */
};

/* A queue that waits for an event which nobody had recorded. */
struct client_wait {
	struct client_wait *next;
	const struct step *step;
	const struct client_event *event;
};

/* A user's mistake, located. */
bool client_refuse(struct client *client, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* True if `what` of the user's (`name`, said at `where`) was made; else refuses it, because of
 * `why` or of the status, and is false. Releases `why`. */
bool client_made(struct client *client, enum status status, struct location where, const char *what,
	const char *name, struct text *why);

/* A bug of ours. */
bool client_fail(struct client *client, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True if an operation is complete: data that the scenario elides are no failure. */
bool client_is_complete(const struct client *client, enum status status);

/* " of mesh 'left'", or "" where there is one mesh; in a buffer of the caller's. */
enum { CLIENT_CITE_BYTES = MESH_NAME_BYTES + 16 };
const char *client_cite_mesh(const struct client *client, char *cited);

/* client_turn.c: opens a mesh that is closed, for the step or the key at `where`; closes one, when
 * all that its steps have made was verified and given back. The step that opens has *operation,
 * whose return its caller marks once everything is made anew. */
bool client_open(struct client *client, struct location where, uint32_t operation);
bool client_give_back(struct client *client);
bool client_run_open(struct client *client, const struct step *step, uint32_t *operation);
bool client_run_close(struct client *client, const struct step *step);

/* Waits until all queues of a mesh are complete, if it is open. */
bool client_finish_queues(struct client *client);

/* client_memory.c: memory that the allocators of the mesh have given out, of each bank, worker or
 * host together; notes that what the step at `where` made (`name` may be NULL) was released only
 * now, when the mesh is closed: before that, `taken` was. */
uint64_t client_taken(const struct client *client);
void client_note_left(struct client *client, const char *kind, const char *name,
	struct location where, uint64_t taken);

/* client_content.c: data of write_buffer steps by seed and number of the step; and what a host has
 * in storage, by names that say of which step. */
void client_step_data(uint64_t seed, uint32_t number, uint8_t *data, uint64_t bytes);

struct client_stored {
	char text[80];
};

void client_store_name(uint64_t seed, uint32_t number, uint64_t bytes, struct client_stored *name);

struct client_store {
	struct client_stored name; /* of what was read last */
	uint8_t *data;
	uint64_t bytes;
};

struct shard_loader client_store_loader(struct client_store *store);
void client_store_fini(struct client_store *store);

/* client_hosts.c: of a machine of several hosts. Starts controller and executors, before the mesh
 * is opened; opens it, with errors of distributed_open(); says which host it was if the run went
 * wrong since one was lost; ends them, once the mesh is closed. All but the second do nothing on a
 * machine of one. */
bool client_hosts_start(struct client *client);
enum status client_hosts_open(
	struct client *client, const struct mesh_config *config, struct text *why);
/* Whether there is something for client_hosts_explain() to explain. */
bool client_hosts_failed(const struct client *client);
void client_hosts_explain(struct client *client);
void client_hosts_end(struct client *client);

/* After model.fault has ended a run: waits until every executor has come to its end, too. */
void client_hosts_abandon(struct client *client);

/* client_meshes.c: makes the clients of all meshes, opens these, and closes them. */
bool client_open_meshes(struct client *first);
void client_close_meshes(struct client *first);

/* `good`; if it is not, what went wrong on this mesh went wrong with the run. */
bool client_is_good(struct client *client, bool good);

/* Calls `work` for every mesh, one after the other, until it is false: that outcome is the run's.
 */
bool client_for_meshes(struct client *first, bool (*work)(struct client *client));

/* Calls `work` for the first one, or for each on a thread of its own as runtime.host.clients says,
 * and waits for all. False if one was. */
bool client_run_threads(struct client *first, bool (*work)(struct client *client));

/* Numbers the next operation of `step`. */
uint32_t client_start_operation(
	struct client *client, const struct step *step, uint32_t queue, uint64_t bytes);

/* The same of the capture of a trace step, which is none of its calls. */
uint32_t client_start_capture(struct client *client, const struct step *step);

/* The same of a round that a read of this step takes before it, counted from 0. */
uint32_t client_start_round(
	struct client *client, const struct step *step, uint32_t queue, uint32_t round);

/* The devices that the keys of a step name (NULL: all), and all devices, of the mesh. */
struct device_range client_range(const struct client *client, const struct devices_keys *keys);
struct device_range client_all_devices(const struct client *client);

/* client_buffer.c */
bool client_buffer_make(struct client *client, const struct step *step);
bool client_buffer_find(struct client *client, const struct step *step);
bool client_write(struct client *client, const struct step *step);
bool client_read(struct client *client, const struct step *step);

/* The same into a trace, and then at every replay of it, through `queue`. All replays of a read
 * fill the memory that its capture named, as mesh/trace.h has it: data of a replay that nobody
 * waited for before the next one are compared only if both must be the same. */
bool client_write_captured(struct client *client, const struct step *step);
bool client_read_captured(struct client *client, const struct step *step);
void client_write_replayed(struct client *client, const struct step *step);
void client_read_replayed(struct client *client, const struct step *step, uint32_t queue);

/* client_gather.c: makes what reads of all of a buffer take, before the first of them. */
bool client_gather_make(struct client *client, struct client_buffer *buffer);

/* Numbers a read and its rounds, whose first one begins its call; enqueues it, to the memory of
 * `read`, captured or not; and once it runs, or is replayed, knows that its rounds were launched.
 */
struct gather_call client_read_start(struct client *client, const struct step *step);
bool client_read_enqueue(struct client *client, const struct step *step, struct gather_call *gather,
	const struct client_read *read);
void client_note_gathered(const struct client *client, const struct step *step);

/* Numbers the rounds of a read that is replayed. Returns the first, or 0. */
uint32_t client_start_rounds(struct client *client, const struct step *step, uint32_t queue);

/* How often reads of all buffers together have launched worker `core` of every device. */
uint32_t client_gather_launches(const struct client *client, uint32_t core);

/* client_content.c: bytes that a step writes or reads, of all of a buffer or of a device's part;
 * the data of a write are there now; what a read that comes now must give, or NULL: nobody knows.
 */
uint64_t client_buffer_bytes(const struct client *client, const struct step *step);
void client_note_written(const struct client *client, const struct step *step);
const uint8_t *client_expected(const struct client *client, const struct step *step);
void client_images_free(struct client_buffer *buffer);

/* The part of a buffer that a device (row by row) has from now on; NULL: nobody knows. After some
 * of them: what all of it is. */
void client_note_part(struct client_buffer *buffer, uint32_t device, const uint8_t *data);
void client_note_parts(const struct client *client, struct client_buffer *buffer);

/* The buffer that a step made, which was checked. */
struct client_buffer *client_buffer_named(struct client *client, const char *name);

/* Everything that `queue` sent to the devices of `range` is complete: compares what was read there
 * and nowhere else. */
bool client_compare_reads(struct client *client, uint32_t queue, struct device_range range);
void client_buffers_free(struct client *client);

/* Waits until a queue is complete, and compares what was read there. */
bool client_finish_queue(struct client *client, uint32_t index, uint32_t operation);

/* The same of programs on these sub-devices, a bit each; those of others may run on. */
bool client_finish_sub_devices(struct client *client, uint32_t index, uint32_t sub_devices);

/* client_event.c */
bool client_event_make(struct client *client, const struct step *step);
bool client_record(struct client *client, const struct step *step);
bool client_wait(struct client *client, const struct step *step);

/* The same into a trace, which then ends; and what its last replay has recorded. */
bool client_record_captured(struct client *client, const struct step *step);
bool client_wait_captured(struct client *client, const struct step *step);
void client_capture_ended(struct client *client);
bool client_record_replayed(
	struct client *client, const struct step *step, const struct handle_trace *trace);

/* client_program.c */
bool client_workload_make(struct client *client, const struct step *step);
/* `operation` 0: into a trace. */
bool client_enqueue(struct client *client, const struct step *step, uint32_t operation);
void client_workloads_free(struct client *client);

/* It was launched once more, or replayed. */
void client_workload_ran(struct client *client, struct client_workload *workload);

/* The launches of these steps are captured anew, with values from the first on: so that all replays
 * have the same. */
void client_forget_values(struct client *client, const struct repeat_step *body);

/* client_library.c: programs of the library. Adds everything to one that was made, and sets its
 * arguments; errors are those of the row's build(). */
enum status client_library_build(
	struct client *client, struct client_program *program, struct text *why);
void client_library_free(struct client_program *program);

/* The program was launched now, or replayed: what its buffers hold from here on. */
void client_library_ran(const struct client *client, const struct client_program *program);

/* The same of programs whose kernels stand in the scenario; of others, which have
 * no buffers, it knows that nothing changes. */
enum status client_kernels_build(
	struct client *client, struct client_program *program, struct text *why);
void client_kernels_ran(struct client *client, const struct client_program *program);

/* client_trace.c */
bool client_trace(struct client *client, const struct step *step);
bool client_replay_trace(struct client *client, const struct step *step);
bool client_release_trace(struct client *client, const struct step *step);
void client_traces_free(struct client *client);

/* client_tensor.c */
bool client_tensor_make(struct client *client, const struct step *step);
bool client_tensor_find(struct client *client, const struct step *step);
bool client_write_tensor(struct client *client, const struct step *step);
bool client_read_tensor(struct client *client, const struct step *step);
void client_tensors_free(struct client *client);

/* client_collective.c */
bool client_collective_make(struct client *client, const struct step *step);
bool client_collective(struct client *client, const struct step *step);
void client_collectives_free(struct client *client);

/* The same into a trace, and that it was replayed. */
bool client_collective_captured(struct client *client, const struct step *step);
void client_collective_ran(struct client *client, const struct step *step);

/* Compares what collectives have left on all devices with their references. */
bool client_collectives_verify(struct client *client);

/* How often all of them together have launched a worker. */
uint32_t client_collective_launches(const struct client *client, uint32_t core);

/* client_fabric.c */
bool client_ping(struct client *client, const struct step *step);
bool client_traffic(struct client *client, const struct step *step);

/* client_arguments.c: values of arguments that differ over a program's devices */

/* Gives a program of a workload the values of its next generation. */
bool client_refresh(
	struct client *client, struct workload *workload, struct client_program *program);

/* What program_refresh_args() makes the arguments of a device from. */
uint32_t client_generation(
	const struct client_program *program, uint32_t generation, uint16_t row, uint16_t column);

/* Pages of each circular buffer of a program's first group of cores. */
uint32_t client_buffer_pages(const struct client *client, const struct program_keys *keys);

/* client_verify.c */

/* Whether a step's kernel of this processor has arguments of its own: the three TRISCs run one
 * kernel, whose arguments stand with the first of them. */
bool client_has_arguments(const struct program_keys *keys, enum processor processor);

/* True if the cores of a program include core `core` of the worker grid. */
bool client_takes_part(const struct client *client, const struct cores *cores, uint32_t core);

/* Compares the L1 of some workers with what must be there, and the credits that receivers of
 * broadcasts have given back with those that were taken (spec 3.8.2). */
bool client_verify(struct client *client);

/* ---- sub_devices ---- */

/* The sub-devices that a step of the mesh is of and waits for, a bit each: of a trace those of all
 * that it captures (trace_sub_devices()). */
uint32_t client_needs(const struct client *client, const struct step *step);

/* The same as results have it: 0 where that is all of them. */
uint8_t client_scope(const struct client *client, const struct step *step);

/* Divides the mesh as the scenario says. False after a refusal. */
bool client_divide(struct client *client);

/* Nothing of their L1 is taken. False after a failure. */
bool client_sub_devices_are_empty(struct client *client);

#endif
