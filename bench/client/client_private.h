/* Declarations that the files of the client share. If a function that returns bool returns false,
 * it has set the client's outcome, and has reported the error in client->diag or client->why. */
#ifndef BENCH_CLIENT_PRIVATE_H
#define BENCH_CLIENT_PRIVATE_H

#include "bench/client/client.h"
#include "bench/scenario/step_make.h"
#include "distributed/choices.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/program.h"
#include "mesh/queue.h"
#include "programs/gather.h"

struct client_buffer {
	struct client_buffer *next;
	const char *name;
	const struct write_step *keys; /* keys of the step that made it */
	struct location where;	       /* location of the step that made it */
	struct handle_buffer *buffer;
	struct mesh_spread spread;  /* distribution over the devices of the whole mesh */
	struct mesh_gather *gather; /* for reads of the whole buffer; NULL: there are none */
	uint64_t bytes, device_bytes, gathers; /* `gathers`: number of gathered reads so far */
	const uint8_t *written;		       /* expected content of the whole; NULL: unknown */
	const uint8_t **parts;		       /* [device] expected content of its part, or NULL */
	struct client_image *images;	       /* contents assembled from parts */
	struct client_read *reads;	       /* reads that were not compared yet */
	struct client_pinned *spare;	       /* pinned memory that no read in flight uses */
	bool is_freed;			       /* a step frees the buffer */
};

/* Pinned memory of the size of a buffer. */
struct client_pinned {
	struct client_pinned *next;
	struct host_memory *memory;
};

struct client_image {
	struct client_image *next;
	uint8_t *data;
	uint64_t bytes;
};

/* Memory shared by reads that must return the same content. */
struct client_read {
	struct client_read *next;
	const uint8_t *expected;
	uint32_t queue, count;
	struct device_range range; /* devices that are read */
	uint64_t bytes;
	uint8_t *data;
	bool traced;		      /* `data` is the data of the step, which every replay fills */
	struct client_pinned *pinned; /* its data are copied to `data` before comparing; or NULL */
};

struct client_program {
	struct program *program;
	const struct program_keys *keys;
	struct device_range range;
	uint32_t generation;	      /* generation of the arguments */
	struct client_acting *acting; /* NULL unless its kernels act */
};

/* The workload that an enqueue_workload step launches. */
struct client_workload {
	struct client_workload *next;
	struct workload *workload;
	const struct step *step;
	uint32_t launches; /* how often the workload was enqueued or replayed */
	uint32_t program_count;
	struct client_program programs[];
};

struct client_event {
	struct client_event *next;
	const char *name;
	struct location where; /* place of the last step that records the event */
	struct handle_event event;
	bool recorded;
	uint32_t operation;	      /* last operation that recorded the event, perhaps in a
				       * replay */
	bool to_executors;	      /* executors can wait for the event */
	struct handle_event captured; /* the event that was captured in a trace */
	bool in_capture;	      /* true after a step of the trace that is being captured
				       * has recorded the event. Later steps of this trace that
				       * wait for the event use `captured` */
};

/* A queue that waits for an event that was not recorded before. */
struct client_wait {
	struct client_wait *next;
	const struct step *step;
	const struct client_event *event;
};

/* Reports an error of the scenario at `where`. Returns false. */
bool client_refuse(struct client *client, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns true if `status` is OK. Otherwise, reports that an object could not be made, and returns
 * false. `what` is the kind of the object, `name` is its name, and `where` is the place of the step
 * that defines it. The report gives `why` as the reason, or the message of the status if `why` is
 * empty. Frees `why`. */
bool client_made(struct client *client, enum status status, struct location where, const char *what,
	const char *name, struct text *why);

/* Reports a bug of meshsim. Returns false. */
bool client_fail(struct client *client, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns true if an operation with this status is complete. ELIDED counts as complete if the
 * scenario elides data. */
bool client_is_complete(const struct client *client, enum status status);

/* Writes " of mesh 'left'" to `cited`, or "" if the mesh has no name. `cited` has space for
 * CLIENT_CITE_BYTES bytes. Returns `cited`. */
enum { CLIENT_CITE_BYTES = MESH_NAME_BYTES + 16 };
const char *client_cite_mesh(const struct client *client, char *cited);

/* client_turn.c: client_open() opens the mesh; errors cite `where`, the place of a step or key.
 * client_give_back() releases everything that the steps made, and checks that all memory is free
 * again. client_run_open() runs a step that opens the mesh. The caller must then make the objects
 * of the steps again, and record when the operation *operation returns. client_run_close() runs a
 * step that closes the mesh; it verifies the mesh before it closes it. */
bool client_open(struct client *client, struct location where, uint32_t operation);
bool client_give_back(struct client *client);
bool client_run_open(struct client *client, const struct step *step, uint32_t *operation);
bool client_run_close(struct client *client, const struct step *step);

/* Waits until all queues of a mesh are complete. Does nothing if the mesh is closed. */
bool client_finish_queues(struct client *client);

/* client_saved.c: client_save() returns the memory into which a step saves the elements of a tensor
 * under `name`. client_save_buffer() does this for the data of a buffer. All calls with the same
 * name return the same memory. client_saved_complete() is called when the data are there. */
void *client_save_buffer(
	struct client *client, const char *name, const struct write_step *keys, uint64_t bytes);
void client_saved_complete(struct client *client, const char *name);
void *client_save(struct client *client, const char *name, enum element element,
	const struct layout_shape *shape);

/* client_memory.c: client_taken() returns the number of bytes that the mesh's allocators have given
 * out. For device memory, this is the number of bytes in one bank or in one worker, because an
 * allocator gives out the same addresses in all of them. client_note_left() records an object that
 * the closing of a mesh has released. `where` is the step that made the object, `name` may be NULL,
 * and `taken` is the value of client_taken() before the release. */
uint64_t client_taken(const struct client *client);
void client_note_left(struct client *client, const char *kind, const char *name,
	struct location where, uint64_t taken);

/* client_content.c: client_step_data() generates the data of a write_buffer step from the seed and
 * the number of the step. A client_store (below) generates the same data from a name that contains
 * seed, number and size. */
void client_step_data(uint64_t seed, uint32_t number, uint8_t *data, uint64_t bytes);

/* client_values.c: changes random bits in `data` into numbers of a type (enum step_values); each
 * number is less than 2. Data of a block format must be whole tiles. */
void client_make_values(uint32_t values, uint8_t *data, uint64_t bytes);

struct client_stored {
	char text[80];
};

void client_store_name(uint64_t seed, uint32_t number, uint64_t bytes, struct client_stored *name);

struct client_store {
	struct client_stored name; /* name of the data below */
	uint8_t *data;
	uint64_t bytes;
};

struct shard_loader client_store_loader(struct client_store *store);
void client_store_fini(struct client_store *store);

/* client_hosts.c: machines of several hosts. client_hosts_start() starts controller and executors,
 * and must be called before the mesh is opened. client_hosts_open() opens the mesh, and returns the
 * errors of distributed_open(). If a run failed because a host was lost, client_hosts_explain()
 * adds the name of the host to the error. client_hosts_end() ends controller and executors after
 * the mesh was closed. On a machine of one host, client_hosts_open() must not be called, and the
 * other functions do nothing. */
bool client_hosts_start(struct client *client);
enum status client_hosts_open(
	struct client *client, const struct mesh_config *config, struct text *why);
/* True if there is an error that client_hosts_explain() can explain. */
bool client_hosts_failed(const struct client *client);
void client_hosts_explain(struct client *client);
void client_hosts_end(struct client *client);

/* After model.fault has ended a run, waits until every executor has ended, too. */
void client_hosts_abandon(struct client *client);

/* client_meshes.c: client_open_meshes() makes the clients of all meshes, and opens the meshes that
 * are open at the start of the run. client_close_meshes() closes all meshes that are open. */
bool client_open_meshes(struct client *first);
void client_close_meshes(struct client *first);

/* Returns `good`. If it is false, copies the outcome of this mesh to the run. */
bool client_is_good(struct client *client, bool good);

/* Calls `work` for the clients of all meshes, one after another. If a call returns false, makes no
 * more calls, copies the outcome of this client to that of the run, and returns false. */
bool client_for_meshes(struct client *first, bool (*work)(struct client *client));

/* Calls `work` for the first mesh. If runtime.host.clients is `per-mesh`, also calls it for all
 * remaining meshes, each on a thread of its own, and waits for all threads. Returns false if one
 * of the calls returned false. */
bool client_run_threads(struct client *first, bool (*work)(struct client *client));

/* Starts the next operation of `step`. Returns its number. */
uint32_t client_start_operation(
	struct client *client, const struct step *step, uint32_t queue, uint64_t bytes);

/* Starts the operation of a trace step's capture. It does not count as a call of the step. */
uint32_t client_start_capture(struct client *client, const struct step *step);

/* Starts the operation of gather round `round`, from 0, that precedes a read of this step. */
uint32_t client_start_round(
	struct client *client, const struct step *step, uint32_t queue, uint32_t round);

/* client_range() returns the devices of the mesh that a step selects with the keys `keys`. If
 * `keys` is NULL, it returns all devices. client_all_devices() also returns all devices. */
struct device_range client_range(const struct client *client, const struct devices_keys *keys);
struct device_range client_all_devices(const struct client *client);

/* client_buffer.c */
bool client_buffer_make(struct client *client, const struct step *step);
bool client_buffer_find(struct client *client, const struct step *step);

/* Returns the buffer of this name, or NULL. */
struct client_buffer *client_buffer_by_name(struct client *client, const char *name);

/* Frees a buffer that is no longer in the list of buffers. */
void client_buffer_free(const struct client *client, struct client_buffer *buffer);

/* Returns true if the buffer `name` cannot be made or found before the first step runs, because a
 * step that frees a buffer comes earlier (client_free.c). */
bool client_buffer_is_late(struct client *client, const char *name);

/* client_free.c: client_free() runs a step that frees a buffer. client_buffer_will_be_freed() is
 * called for each such step before the first step runs, and marks the buffer. */
bool client_buffer_will_be_freed(struct client *client, const struct step *step);
bool client_free(struct client *client, const struct step *step);
bool client_write(struct client *client, const struct step *step);
bool client_read(struct client *client, const struct step *step);

/* Steps in a trace that write or read buffers. client_write_captured() and client_read_captured()
 * capture a step. client_write_replayed() and client_read_replayed() are called for every replay,
 * through `queue`. All replays of a read fill the same memory, which was set in the capture
 * (mesh/trace.h). If the client replays the trace again before it has waited for the first replay,
 * the data of the first replay are overwritten. The first read then counts as correct only if both
 * replays must read the same data. */
bool client_write_captured(struct client *client, const struct step *step);
bool client_read_captured(struct client *client, const struct step *step);
void client_write_replayed(struct client *client, const struct step *step);
void client_read_replayed(struct client *client, const struct step *step, uint32_t queue);

/* client_gather.c: makes the programs that collect a distributed buffer on one device, so that the
 * host can read it there (struct mesh_gather). Call it before the first read of the whole buffer.
 */
bool client_gather_make(struct client *client, struct client_buffer *buffer);

/* client_read_start() gives operation numbers to a read, and to the rounds of the gather that
 * precede it. If there are rounds, it records the time of the call before the first round.
 * client_read_enqueue() enqueues or captures the read, whose data go into the memory of `read`.
 * client_note_gathered() counts the program launches of the gather rounds. Call it when the read is
 * enqueued or replayed. */
struct gather_call client_read_start(struct client *client, const struct step *step);
bool client_read_enqueue(struct client *client, const struct step *step, struct gather_call *gather,
	const struct client_read *read);
void client_note_gathered(const struct client *client, const struct step *step);

/* Gives operation numbers to the gather rounds (programs/gather.h) of a read that is replayed.
 * Returns the first number, or 0 if there are no rounds. */
uint32_t client_start_rounds(struct client *client, const struct step *step, uint32_t queue);

/* Returns how often gathers of buffers have launched worker `core` on every device. */
uint32_t client_gather_launches(const struct client *client, uint32_t core);

/* client_region.c: steps that write or read only some pages of a buffer, the same pages of each
 * device's part.
 *
 * client_region() returns true for such a step, and sets *region. client_moved_bytes() returns the
 * number of bytes that any step writes or reads. client_note_written() updates the expected content
 * after a write. client_expected() returns the data that a read must return now; bytes that the
 * read does not access are 0. It returns NULL if the expected data are unknown. */
bool client_region(const struct step *step, struct buffer_region *region);
uint64_t client_moved_bytes(const struct client *client, const struct step *step);
void client_note_written(const struct client *client, const struct step *step);
const uint8_t *client_expected(const struct client *client, const struct step *step);

/* client_content.c: client_device_number() returns the number of the device at [row, column].
 * client_part_of() returns one device's part of `data`, the data of the whole buffer. If this part
 * is not contiguous in `data`, it returns a copy that the buffer owns. It returns NULL if the
 * device holds no data. */
uint32_t client_device_number(const struct client *client, const uint16_t *shard);
const uint8_t *client_part_of(const struct client *client, struct client_buffer *buffer,
	const uint8_t *data, uint32_t device);

/* client_content.c: client_buffer_bytes() returns the number of bytes that a step writes or reads:
 * the size of the whole buffer, or of one device's part. client_note_all_written() and
 * client_all_expected() are variants of client_note_written() and client_expected(), for steps that
 * write or read all pages. */
uint64_t client_buffer_bytes(const struct client *client, const struct step *step);
void client_note_all_written(const struct client *client, const struct step *step);
const uint8_t *client_all_expected(const struct client *client, const struct step *step);

/* Adds `data` to the list of contents of `buffer`. The list then owns `data`. Returns `data`. If
 * the list already has the same bytes, frees `data` and returns the bytes in the list. */
const uint8_t *client_image(struct client_buffer *buffer, uint8_t *data, uint64_t bytes);
void client_images_free(struct client_buffer *buffer);

/* client_note_part() sets the expected content of one device's part to `data`. If `data` is NULL,
 * the content becomes unknown. Devices are numbered row by row. Call client_note_parts()
 * afterwards, to update the expected content of the whole buffer. */
void client_note_part(struct client_buffer *buffer, uint32_t device, const uint8_t *data);
void client_note_parts(const struct client *client, struct client_buffer *buffer);

/* Returns the buffer with this name. The buffer must exist, which scenario_check() ensures. */
struct client_buffer *client_buffer_named(struct client *client, const char *name);

/* Compares the data that `queue` has read from devices in `range` with the expected data. Call it
 * when all operations of the queue on these devices are complete. */
bool client_compare_reads(struct client *client, uint32_t queue, struct device_range range);
void client_buffers_free(struct client *client);

/* Waits until all operations of a queue are complete, and compares the data that they read. */
bool client_finish_queue(struct client *client, uint32_t index, uint32_t operation);

/* Like client_finish_queue(), but waits only for programs on the sub-devices in the bitmap
 * `sub_devices`. */
bool client_finish_sub_devices(
	struct client *client, uint32_t index, uint32_t operation, uint32_t sub_devices);

/* client_event.c */
bool client_event_make(struct client *client, const struct step *step);
bool client_record(struct client *client, const struct step *step);
bool client_wait(struct client *client, const struct step *step);

/* Steps in a trace that record an event or wait for it. client_record_captured() and
 * client_wait_captured() capture such a step. Call client_capture_ended() when the capture has
 * ended. client_record_replayed() sets the step's event to the event that the last replay has
 * recorded. */
bool client_record_captured(struct client *client, const struct step *step);
bool client_wait_captured(struct client *client, const struct step *step);
void client_capture_ended(struct client *client);
bool client_record_replayed(
	struct client *client, const struct step *step, const struct handle_trace *trace);

/* client_program.c */
bool client_workload_make(struct client *client, const struct step *step);
/* If `operation` is 0, the workload is captured into a trace. */
bool client_enqueue(struct client *client, const struct step *step, uint32_t operation);
void client_workloads_free(struct client *client);

/* Counts a launch or a replay of a workload, and updates the expected content of its buffers. */
void client_workload_ran(struct client *client, struct client_workload *workload);

/* Resets the generation numbers of the launches in `body`. The arguments of a launch are computed
 * from its generation number. Call it before the steps are captured again, so that the new trace
 * has the same arguments as the old one. */
void client_forget_values(struct client *client, const struct repeat_step *body);

/* client_library.c: client_library_prepare() finds the buffers and parameters of a program from the
 * program library. */
void client_library_prepare(
	struct client *client, struct client_program *program, const struct step_maker *maker);
void client_library_free(struct client_program *program);

/* Updates the expected content of the program's buffers after a launch or replay. */
void client_library_ran(const struct client *client, const struct client_program *program);

/* Called after a launch or replay. If the scenario itself contains the instructions of the
 * program's kernels, the client cannot know what they wrote. It then marks the contents of all
 * buffers of the program as unknown. */
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

/* client_collective_captured() captures the collective of a step into a trace.
 * client_collective_ran() must be called whenever the collective was launched or replayed; it
 * counts the launches. */
bool client_collective_captured(struct client *client, const struct step *step);
void client_collective_ran(struct client *client, const struct step *step);

/* Compares the outputs of collectives on all devices with their references. */
bool client_collectives_verify(struct client *client);

/* Returns how often collectives have launched worker `core` of the device at this row and column.
 */
uint32_t client_collective_launches(
	const struct client *client, uint16_t row, uint16_t column, uint32_t core);

/* client_fabric.c */
bool client_ping(struct client *client, const struct step *step);
bool client_traffic(struct client *client, const struct step *step);

/* client_arguments.c: argument values, which may differ between a program's devices. */

/* Gives a program of a workload the argument values of its next generation. */
bool client_refresh(
	struct client *client, struct workload *workload, struct client_program *program);

/* Returns the generation to pass to program_refresh_args() for the arguments of one device. */
uint32_t client_generation(
	const struct client_program *program, uint32_t generation, uint16_t row, uint16_t column);

/* client_verify.c */

/* True if the cores of a program include core `core` of the worker grid. */
bool client_takes_part(const struct client *client, const struct cores *cores, uint32_t core);

/* Compares the L1 of some workers with its expected content. Also checks that the senders of
 * broadcasts have got back all credits that they have used (spec 3.8.2). Returns false after
 * errors. */
bool client_verify(struct client *client);

/* ---- sub-devices ---- */

/* Returns a bitmap of the sub-devices that a step of the mesh uses or waits for. For a trace, these
 * are the sub-devices of all captured steps (trace_sub_devices()). */
uint32_t client_needs(const struct client *client, const struct step *step);

/* Starts an operation of a run_model step. `program` is the operation of the binary, or NULL if the
 * host writes, reads or records. `index` is 0 for launches of programs, and another
 * number for each other kind of operation. So each kind gets its own step number. */
uint32_t client_start_model(struct client *client, const struct step *step, const char *kind,
	const char *program, uint32_t index, uint32_t queue, uint64_t bytes);

/* programs/client_model.c: client_model_make() makes the execution of a step's binary
 * (execution_new()), before the first step runs. client_models_finish() waits for all runs, and
 * compares their outputs. client_model_launches() returns how often operations of models were
 * launched on a worker. */
bool client_model_make(struct client *client, const struct step *step);
bool client_run_model(struct client *client, const struct step *step);
bool client_models_finish(struct client *client);
void client_models_free(struct client *client);
uint32_t client_model_launches(
	const struct client *client, uint16_t row, uint16_t column, uint32_t core);

/* Like client_needs(), but returns the bitmap in the form that result files contain: bits are
 * numbered over the sub-devices of all divisions, and 0 means that the step needs all sub-devices.
 */
uint8_t client_scope(const struct client *client, const struct step *step);

/* Divides the mesh into the scenario's sub-devices, if it has any. Returns false after an error. */
bool client_divide(struct client *client);

/* Checks that no memory in the L1 of sub-devices is allocated. Returns false after a failure. */
bool client_sub_devices_are_empty(struct client *client);

/* client_loaded() returns the division into sub-devices that is loaded; without a division, its
 * number of sub-devices is 0. client_load() waits for all queues, and then runs a step that loads a
 * division. client_will_load() is called for such a step before the first step runs. Buffers that
 * are first written after such a step are then not made in advance: the first write makes them. */
struct division_keys client_loaded(const struct client *client);
bool client_load(struct client *client, const struct step *step);
bool client_will_load(struct client *client, const struct step *step);

/* Brings meshes on the platform's hosts up by a flow, as one operation. */
bool client_bring_up(struct client *client, const struct step *step);

#endif
