/* The state that the checks of steps share: the mesh of the current step, and the buffers, events
 * and traces that earlier steps have named. */
#ifndef BENCH_STEPS_CHECK_H
#define BENCH_STEPS_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

struct rehearsal;

struct check {
	const struct run_plan *run;
	struct arena *arena;
	const struct mesh_config *configs; /* one for each mesh */
	struct rehearsal *rehearsal;
	/* the mesh of the current step */
	uint32_t mesh;
	const struct mesh_config *config;
	const struct mesh_resources *resources;
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct buffer_name *buffers;
	struct event_name *events;
	struct check_source *sources;
	struct trace_name *traces;
	bool frees;		   /* an earlier step frees a buffer */
	const struct step *trace;  /* the trace step that captures the current step, or NULL */
	uint32_t trace_sub_device; /* sub-device of the captured programs, from 1; 0: none */
	const struct check_loop *loop;
};

/* A repeat that contains the current step. The steps in a repeat run more than once. */
struct check_loop {
	const struct check_loop *outer;
};

/* Returns the last buffer with this name that a step has made on the mesh so far, even if it was
 * freed. Returns NULL if there is no such buffer. */
struct buffer_name *check_buffer_name(const struct check *check, uint32_t mesh, const char *name);

/* Both functions return the first step that has written a buffer with this name on the current
 * mesh. They return NULL if there is no such step, or if the buffer was freed; check_want_buffer()
 * then also reports an error at `where`. If the keys of the step have errors, check_want_buffer()
 * returns NULL without a further error. */
const struct write_step *check_find_buffer(const struct check *check, const char *name);
const struct write_step *check_want_buffer(
	const struct check *check, const char *name, struct location where);

/* step_program.c: returns true if the key `name` of a program, or of a step that launches a
 * program, is missing or has its default value. There is no difference between the two cases,
 * because effective scenarios contain all defaults. */
bool program_key_is_default(const struct tree_node *keys, const char *name);

/* step_save.c: check_save() and check_save_tensor() check the key `save` of a step that reads data.
 * `elements` is the number of elements that the step reads. `device_bytes` is the number of bytes
 * per device; if it is too large, these bytes are not simulated and cannot be saved.
 * step_saved_elements() returns the number of elements of a buffer that are saved. */
void check_save(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint64_t elements, uint64_t device_bytes);
void check_save_tensor(
	const struct check *check, const struct tree_node *keys, const struct step *step);
uint64_t step_saved_elements(const struct write_step *write);

/* step_operands.c: buffers that are tensors. check_tensor_shape() sets the size of a buffer that
 * has a shape, and the type of its numbers; `first` is the step that makes the buffer, or NULL if
 * this step makes it. check_same_tensor() returns true if a later step has the same shape as
 * `first`. check_operands() sets the parameters of library programs from the tensors that they use,
 * and reports contradictions. Located errors go to `diag`. */
void check_tensor_shape(const struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct write_step *first);
bool check_same_tensor(const struct write_step *write, const struct write_step *first);
void check_operands(const struct check *check, const struct tree_node *keys, struct step *step);

/* step_kernels.c: schema and checks of kernels whose instructions are in the scenario file. */
extern const struct schema_field step_kernel_item;
void check_kernel_texts(const struct check *check, const struct program_keys *program);

/* step_acting.c: checks the buffers of programs whose kernels execute instructions. For these
 * programs, also reports keys that have an effect only on filler kernels, which only take time. */
void check_acting(const struct check *check, const struct tree_node *keys, const struct step *step);

/* Checks that no program of a step uses a buffer that is in the L1 of another sub-device. The
 * rehearsal must have made the programs before. */
void check_local_buffers(const struct check *check, const struct step *step);

/* True if `outer` is `loop` or encloses it; NULL encloses everything. */
bool check_is_around(const struct check_loop *outer, const struct check_loop *loop);

/* step_free.c: checks a step that frees a buffer, and whether a program may use a buffer. */
void check_free(struct check *check, const struct tree_node *keys, struct step *step);
void check_used(const struct check *check, const char *name, struct location where);

/* Returns a trace that uses the buffer, and that no step so far has released. Returns NULL if
 * there is no such trace. */
const struct step *check_trace_with(const struct check *check, const char *buffer);

/* step_source.c: a write_buffer step can write the data of an earlier read (key `from`).
 * check_offer_source() records a read whose data can be written. check_source() checks a step that
 * has the key `from`, and finds its read. If the step gives no size, it gets the size of the data.
 */
void check_offer_source(struct check *check, struct step *read, const struct write_step *write);
void check_source(struct check *check, const struct tree_node *keys, struct step *step);

/* step_spread.c: check_buffer_spread() checks how a new buffer is distributed over the devices.
 * check_buffer_elements() divides the bytes of a matrix or tensor by the number of its elements.
 * The result must be the width of the number type in `values` or, for random bits, the width of
 * some number type. Both return false with errors in `diag`. */
bool check_buffer_spread(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);
bool check_buffer_elements(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, const struct write_step *first);

/* step_spread.c: reports an error if the device `shard`, [row, column], has no part of the buffer
 * that the step `first` makes. check_shard() reports devices that are outside of the mesh. */
void check_holds(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	const struct write_step *first);

/* step_region.c: these functions check the keys of a step that writes or reads only some pages of a
 * buffer. `first` is the step that makes the buffer, or NULL if this step makes it. */
void check_written_pages(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, const struct write_step *first);
void check_read_pages(const struct check *check, const struct tree_node *keys,
	const struct read_step *read, const struct write_step *first);

/* True if a program writes the buffer of `port`, which must have been checked. */
bool program_writes(const struct program_keys *program, const struct port_keys *port);

struct buffer_name {
	struct buffer_name *next;
	const struct write_step *first;
	uint32_t mesh;
	bool used; /* a program or a trace uses the buffer */
	bool late; /* a step makes the buffer after a free_buffer step */
	bool bad;  /* the keys of the buffer have errors; steps that use the buffer then report no
		    * further errors */
	const struct check_loop *loop; /* the `repeat` around the step that makes the buffer */
	const struct step *freed;      /* the step that frees it, or NULL */
};

struct event_name {
	struct event_name *next;
	const char *name;
	uint32_t mesh;
};

/* step_mesh.c: finds the mesh of every step; call it before the other checks. Returns false with
 * errors in `diag`. */
bool steps_find_meshes(const struct scenario *scenario, struct diag *diag);

/* step_open.c: checks that the mesh of every step is open. Also checks that the data that a step
 * reads were written after the mesh was last opened. */
void check_lives(const struct check *check);

/* step_sub_device.c: replaces the names of sub-devices by numbers. If cores are given relative to a
 * sub-device, converts them to cores of the whole grid. Located errors go to `diag`. */
void steps_find_sub_devices(const struct scenario *scenario, struct diag *diag);

/* divisions/step_division.c: finds the division that each step needs or loads. Reports an error if
 * a step needs a program, buffer, wait or trace of a division that is not loaded when the step is
 * reached. Located errors go to `diag`. */
void check_divisions(const struct run_plan *run, struct diag *diag);

/* Loads the division of a load_sub_devices or clear_sub_devices step in the rehearsal. */
void check_load(struct check *check, const struct tree_node *keys, struct step *step);

/* Checks that all programs of a captured step run on the sub-device of the trace. The rehearsal
 * must have made the programs before. */
void check_trace_sub_device(struct check *check, const struct step *step);

/* sub_device_cores.c: sub_device_rect() returns the workers of a sub-device. sub_device_number()
 * returns the number, from 1, of the sub-device with this name, or 0 if the name is unknown. */
struct worker_rect sub_device_rect(const struct sub_device_keys *keys);
uint32_t sub_device_number(const struct runtime_keys *keys, const char *name);

/* Checks the definitions of the sub-devices, on chips of this geometry. Returns false with errors
 * in `diag`. */
bool check_sub_devices(
	const struct run_plan *run, const struct chip_geometry *geometry, struct diag *diag);

/* Checks that the mesh has queue `queue`; UINT32_MAX means all queues. `keys` are the keys of the
 * step, or NULL. */
void check_queue(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint32_t queue);

/* step_buffer.c: check_shard() checks the device of a step that writes or reads the part of only
 * one device. check_stored() checks a write whose data are in storage. check_buffer_layout() checks
 * the keys of a buffer's layout, and makes the buffer in the rehearsal; call it after the size was
 * checked. */
void check_shard(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	uint32_t count, bool pinned);
void check_stored(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);
void check_buffer_layout(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);

/* Checks the step at `where`, which writes or reads a buffer in system memory. Such a buffer has no
 * parts on devices. */
void check_of_host(const struct check *check, const struct tree_node *keys, const char *buffer,
	struct location where);

/* step_trace.c: steps_find_traces() finds the trace that each replay or release names; call it when
 * the meshes of all steps are known. Call the other functions in the order of the steps in the
 * file. check_trace() checks a step that captures a trace; call it before the captured steps are
 * checked. check_replay() checks a step that replays a trace, and check_release() checks a step
 * that releases one. */
void steps_find_traces(const struct scenario *scenario);
void check_trace(struct check *check, struct step *step, const struct tree_node *node);
void check_replay(struct check *check, const struct tree_node *keys, struct step *step);
void check_release(struct check *check, const struct tree_node *keys, struct step *step);

/* step_fabric.c: checks of collective steps. */
void check_collective(struct check *check, const struct tree_node *keys, struct step *step);

/* Returns the word of an operation of collective steps, as in the file. */
const char *collective_step_op(uint32_t op);

/* True if a collective step lacks the key `name`, or has its default. */
bool collective_key_is_default(const struct tree_node *keys, const char *name);

/* The item of the key `ranks`. */
extern const struct schema_field step_rank_item;

/* Removes the traces of a mesh when a step closes the mesh. */
void check_traces_gone(struct check *check, const struct step *close);

/* If a trace captures a write of the buffer, checks that the data of the buffer are simulated, and
 * not elided. */
void check_captured_data(
	const struct check *check, const struct write_step *write, struct location where);

/* calls/step_identity.c: steps with the same key `identity` run the same workload. The first of
 * these steps makes the workload. steps_find_identities() finds the first step for each of the
 * others. Call it when the meshes of all steps are known. check_identity() checks a step that runs
 * the workload of an earlier step. */
void steps_find_identities(const struct scenario *scenario, struct arena *arena);
void check_identity(
	const struct check *check, const struct tree_node *keys, const struct step *step);

/* Checks a collective that runs the programs of an earlier step. */
void check_collective_identity(
	const struct check *check, const struct tree_node *keys, const struct step *step);

/* calls/step_think.c */
void check_think(struct check *check, const struct tree_node *keys, struct step *step);

/* calls/step_model.c: steps_load_models() reads the binaries of all run_model steps of a run, and
 * finds their programs. Returns false with errors in `diag`. check_run_model() checks such a step,
 * and makes its tensors in the rehearsal, to find out whether they fit. */
bool steps_load_models(struct run_plan *run, struct diag *diag);
void check_run_model(struct check *check, const struct tree_node *keys, struct step *step);

/* step_bring_up.c: checks that the hosts of the platform can be brought up in this world. */
void check_bring_up(struct check *check, const struct tree_node *keys, struct step *step);

/* step_event.c: collect_events() collects the names of all events that steps record. check_wait()
 * checks a step that waits for an event. */
void collect_events(struct check *check, const struct step *steps, uint32_t count);
void check_wait(struct check *check, const struct tree_node *keys, struct step *step);

/* Checks a step whose key `key` lets executors record an event or wait for it. It is an error if
 * the machine has only one host. It is also an error, with the message `why`, if `host` is set:
 * then the host itself does this. */
void check_executors(const struct check *check, const struct tree_node *keys, const char *key,
	bool host, const char *why);

#endif
