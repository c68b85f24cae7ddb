/* The state that the checks of steps share. It contains the mesh of the current step, and the names
 * that earlier steps have introduced. */
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

/* Returns the last buffer of this name that was made on the mesh so far, even if it was freed.
 * Returns NULL if there is none. */
struct buffer_name *check_buffer_name(const struct check *check, uint32_t mesh, const char *name);

/* Both functions return the first step so far that writes a buffer of this name on the current
 * mesh, or NULL if there is none. check_want_buffer() then also reports an error at `where`. If the
 * keys of the step that makes the buffer have errors, check_want_buffer() returns NULL without
 * another error. */
const struct write_step *check_find_buffer(const struct check *check, const char *name);
const struct write_step *check_want_buffer(
	const struct check *check, const char *name, struct location where);

/* step_program.c: returns true if key `name` of a program, or of a step that launches one, is
 * missing or has its default value. A default is as good as a missing key, because effective
 * scenarios contain all defaults. */
bool program_key_is_default(const struct tree_node *keys, const char *name);

/* step_save.c: check the key `save` of a step that reads `elements` elements, of which each device
 * has `device_bytes` bytes that may be left out of the simulation. step_saved_elements() returns
 * the number of elements of a buffer that a step reads and saves. */
void check_save(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint64_t elements, uint64_t device_bytes);
void check_save_tensor(
	const struct check *check, const struct tree_node *keys, const struct step *step);
uint64_t step_saved_elements(const struct write_step *write);

/* step_operands.c: tensors. check_tensor_shape() sets the size of a buffer with a shape, and the
 * numbers of its data; `first` is the step that makes the buffer, or NULL if this one does.
 * check_same_tensor() returns true if a later step names the same shape. check_operands() sets
 * parameters of library programs from the tensors that they use, and compares them. Errors are
 * located, in `diag`. */
void check_tensor_shape(const struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct write_step *first);
bool check_same_tensor(const struct write_step *write, const struct write_step *first);
void check_operands(const struct check *check, const struct tree_node *keys, struct step *step);

/* step_kernels.c: schema and checks of kernels whose instructions are in the scenario file. */
extern const struct schema_field step_kernel_item;
void check_kernel_texts(const struct check *check, const struct program_keys *program);

/* step_acting.c: checks the buffers of programs whose kernels act, and reports keys that only
 * programs with filler kernels may have. */
void check_acting(const struct check *check, const struct tree_node *keys, const struct step *step);

/* Checks that no program of a step uses a buffer in the L1 of another sub-device. The programs must
 * have been rehearsed. */
void check_local_buffers(const struct check *check, const struct step *step);

/* True if `outer` is `loop` or encloses it; NULL encloses everything. */
bool check_is_around(const struct check_loop *outer, const struct check_loop *loop);

/* step_free.c: checks a step that frees a buffer, and whether a program may use a buffer. */
void check_free(struct check *check, const struct tree_node *keys, struct step *step);
void check_used(const struct check *check, const char *name, struct location where);

/* Returns a trace of the mesh that has captured a use of the buffer and was not released so far.
 * Returns NULL if there is none. */
const struct step *check_trace_with(const struct check *check, const char *buffer);

/* step_source.c: a later write_buffer step may write the data of a read (key `from`).
 * check_offer_source() records a read whose data can be written. check_source() finds the read of a
 * step that has the key `from`. If the step gives no size, check_source() sets the size to the size
 * of the data. */
void check_offer_source(struct check *check, struct step *read, const struct write_step *write);
void check_source(struct check *check, const struct tree_node *keys, struct step *step);

/* step_spread.c: check_buffer_spread() checks how a new buffer is spread over the devices.
 * check_buffer_elements() checks the width of the elements of a matrix or tensor. Some type must
 * have this width. If `values` is a type of numbers, this type must have the width. Both return
 * false with located errors in `diag`. */
bool check_buffer_spread(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);
bool check_buffer_elements(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, const struct write_step *first);

/* step_spread.c: reports an error if a device of the mesh, [row, column], has no part of the buffer
 * that `first` makes. check_shard() reports devices that are outside of the mesh. */
void check_holds(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	const struct write_step *first);

/* step_region.c: check the keys of a step that writes or reads some pages of a buffer, which
 * `first` makes; NULL: the step itself does. */
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
	bool used;		       /* a program or a trace uses the buffer */
	bool late;		       /* a step makes the buffer after a free_buffer step */
	bool bad;		       /* its keys have errors; steps that use the buffer report
					* none */
	const struct check_loop *loop; /* the repeat around the step that makes it */
	const struct step *freed;      /* the step that frees it, or NULL */
};

struct event_name {
	struct event_name *next;
	const char *name;
	uint32_t mesh;
};

/* step_mesh.c: finds the mesh of every step; call it before the other checks. Returns false with
 * located errors in `diag`. */
bool steps_find_meshes(const struct scenario *scenario, struct diag *diag);

/* step_open.c: checks that the mesh of every step is open, and that the data that a step reads were
 * written since the mesh was opened. */
void check_lives(const struct check *check);

/* step_sub_device.c: resolves names of sub-devices to numbers, and converts cores relative to a
 * sub-device to the whole grid. Located errors go to `diag`. */
void steps_find_sub_devices(const struct scenario *scenario, struct diag *diag);

/* divisions/step_division.c: finds the division that each step needs or loads. Reports programs,
 * buffers, waits and traces of a division that is not loaded where the step is reached. Located
 * errors go to `diag`. */
void check_divisions(const struct run_plan *run, struct diag *diag);

/* Loads the division of a load_sub_devices or clear_sub_devices step in the rehearsal. */
void check_load(struct check *check, const struct tree_node *keys, struct step *step);

/* Checks that a captured step has programs of the trace's sub-device only. The programs must have
 * been rehearsed. */
void check_trace_sub_device(struct check *check, const struct step *step);

/* sub_device_cores.c: sub_device_rect() returns the workers of a sub-device. sub_device_number()
 * returns the number, from 1, of the sub-device with this name, or 0 if the name is unknown. */
struct worker_rect sub_device_rect(const struct sub_device_keys *keys);
uint32_t sub_device_number(const struct runtime_keys *keys, const char *name);

/* Checks the sub-devices themselves, on devices of this geometry. Returns false with errors in
 * `diag`. */
bool check_sub_devices(
	const struct run_plan *run, const struct chip_geometry *geometry, struct diag *diag);

/* Checks that queue `queue` exists in the mesh; UINT32_MAX means all queues. `keys` are the keys of
 * the step, or NULL. */
void check_queue(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint32_t queue);

/* step_buffer.c. check_shard() checks the device of a step that writes or reads only one device's
 * part of a buffer. check_stored() checks a buffer in storage. check_buffer_layout() checks the
 * keys of a buffer's layout, and makes the buffer in the rehearsal; the size must have been checked
 * before. */
void check_shard(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	uint32_t count, bool pinned);
void check_stored(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);
void check_buffer_layout(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);

/* Checks the step at `where`, which writes or reads a buffer in system memory. Devices have no part
 * of such a buffer. */
void check_of_host(const struct check *check, const struct tree_node *keys, const char *buffer,
	struct location where);

/* step_trace.c. Call steps_find_traces() when the meshes of all steps are known. It finds the
 * traces that steps replay and release. Call the other functions for each step, in the order of the
 * file. check_trace() is for a step that captures a trace; call it before the captured steps are
 * checked. check_replay() and check_release() are for steps that replay and release a trace. */
void steps_find_traces(const struct scenario *scenario);
void check_trace(struct check *check, struct step *step, const struct tree_node *node);
void check_replay(struct check *check, const struct tree_node *keys, struct step *step);
void check_release(struct check *check, const struct tree_node *keys, struct step *step);

/* step_fabric.c: checks of collective steps. */
void check_collective(struct check *check, const struct tree_node *keys, struct step *step);

/* Removes the traces of a mesh when a step closes the mesh. */
void check_traces_gone(struct check *check, const struct step *close);

/* Checks that the data of a buffer are simulated, not elided, if a trace captures a write of the
 * buffer. */
void check_captured_data(
	const struct check *check, const struct write_step *write, struct location where);

/* calls/step_identity.c: finds the steps that make the workloads of later steps with the same
 * identity. Call it when the meshes of all steps are known. check_identity() checks a later step.
 */
void steps_find_identities(const struct scenario *scenario, struct arena *arena);
void check_identity(
	const struct check *check, const struct tree_node *keys, const struct step *step);

/* calls/step_think.c */
void check_think(struct check *check, const struct tree_node *keys, struct step *step);

/* step_event.c: collect_events() collects the names of all events that steps record. check_wait()
 * checks a step that waits for an event. */
void collect_events(struct check *check, const struct step *steps, uint32_t count);
void check_wait(struct check *check, const struct tree_node *keys, struct step *step);

/* Checks a step whose `key` makes executors handle an event. Reports an error if the machine has
 * only one host. Reports an error with the message `why` if `host` is set, because then the host
 * handles the event. */
void check_executors(const struct check *check, const struct tree_node *keys, const char *key,
	bool host, const char *why);

#endif
