/* What the files that check steps share: the mesh of the step that is looked at, and the names that
 * steps have given so far. */
#ifndef BENCH_STEPS_CHECK_H
#define BENCH_STEPS_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

struct check {
	const struct run_plan *run;
	struct arena *arena;
	const struct mesh_config *configs; /* of every mesh */
	const struct mesh_resources *all_resources;
	/* of the mesh of the step that is looked at */
	uint32_t mesh;
	const struct mesh_config *config;
	const struct mesh_resources *resources;
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct buffer_name *buffers;
	struct event_name *events;
	struct trace_name *traces;
	const struct step *trace; /* that captures the step that is looked at, or NULL */
	const struct check_loop *loop;
};

/* A repeat around the step that is looked at, whose steps run more than once. */
struct check_loop {
	const struct check_loop *outer;
};

/* The first step so far that writes a buffer of this name on the mesh that is looked at, or NULL:
 * then refused, at `where`. */
const struct write_step *check_find_buffer(const struct check *check, const char *name);
const struct write_step *check_want_buffer(
	const struct check *check, const char *name, struct location where);

/* step_program.c: False if `keys`, of a program or a step that launches one, say something else
 * than the default, which is what effective scenarios say that run again. */
bool program_key_is_default(const struct tree_node *keys, const char *name);

/* step_kernels.c: the table of kernels whose instructions stand in the file, and their conditions.
 */
extern const struct schema_field step_kernel_item;
void check_kernel_texts(const struct check *check, const struct program_keys *program);

/* step_acting.c: programs of a step whose kernels act: their buffers, and keys that only filler
 * has. */
void check_acting(const struct check *check, const struct tree_node *keys, const struct step *step);

/* Whether a program writes a buffer that it takes, one that was checked. */
bool program_writes(const struct program_keys *program, const struct port_keys *port);

struct buffer_name {
	struct buffer_name *next;
	const struct write_step *first;
	uint32_t mesh;
};

struct event_name {
	struct event_name *next;
	const char *name;
	uint32_t mesh;
};

/* step_mesh.c: numbers the mesh of every step, before all else. False with errors in `diag`, at
 * their places. */
bool steps_find_meshes(const struct scenario *scenario, struct diag *diag);

/* step_open.c: whether every step finds its mesh open, and what it reads there. */
void check_lives(const struct check *check);

/* step_sub_device.c: names of sub-devices that steps say become numbers, and cores that count in
 * one count in the whole grid. Errors go to `diag`, at their places. */
void steps_find_sub_devices(const struct scenario *scenario, struct diag *diag);

/* All programs that a trace captures are of one sub-device. */
void check_trace_sub_device(const struct check *check, const struct repeat_step *body);

/* sub_device_cores.c: the workers of a sub-device; and the number of that of a name, counted from
 * 1, 0: there is none. */
struct worker_rect sub_device_rect(const struct sub_device_keys *keys);
uint32_t sub_device_number(const struct runtime_keys *keys, const char *name);

/* The sub-devices themselves, on devices of this geometry, whose workers have `l1_bytes` for
 * buffers. False with errors in `diag`. */
bool check_sub_devices(
	const struct run_plan *run, const struct chip_geometry *geometry, struct diag *diag);

/* The sub-device that has all cores of a program, counted from 1; 0: none has, or devices are
 * whole. */
uint32_t program_sub_device(const struct scenario *scenario, const struct chip_geometry *geometry,
	const struct program_keys *program);

/* The cores of a program, whose keys stand at `where`, are of one sub-device, if there are any. */
void check_sub_device(const struct scenario *scenario, const struct chip_geometry *geometry,
	const struct program_keys *program, struct location where, struct diag *diag);

/* `queue` of a step (UINT32_MAX: all) is one of the mesh's; `keys` are the step's, or NULL. */
void check_queue(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint32_t queue);

/* step_buffer.c: the device whose part alone is written or read, if the step names one; the keys of
 * a buffer's layout, of a size that was checked. */
void check_shard(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	uint32_t count, bool pinned);
void check_stored(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);
void check_buffer_layout(
	const struct check *check, const struct tree_node *keys, const struct write_step *write);

/* Keys of a step at `where` whose buffer lies in system memory: no device has a part of it. */
void check_of_host(const struct check *check, const struct tree_node *keys, const char *buffer,
	struct location where);

/* step_trace.c: which step captures what others replay and release, as far as the file says it,
 * once meshes are known. Then, in the order of the steps: what a trace step captures (before those
 * steps themselves are looked at), and what becomes of it. */
void steps_find_traces(const struct scenario *scenario);
void check_trace(struct check *check, struct step *step, const struct tree_node *node);
void check_replay(struct check *check, const struct tree_node *keys, struct step *step);
void check_release(struct check *check, const struct tree_node *keys, struct step *step);

/* step_fabric.c: of the steps that devices do together. */
void check_collective(struct check *check, const struct tree_node *keys, struct step *step);

/* Closing a mesh takes its traces. */
void check_traces_gone(struct check *check, const struct step *close);

/* Data of this buffer's device part, written in a trace, are simulated. */
void check_captured_data(
	const struct check *check, const struct write_step *write, struct location where);

/* step_event.c: names of all events that any step records; then what waits for them. */
void collect_events(struct check *check, const struct step *steps, uint32_t count);
void check_wait(struct check *check, const struct tree_node *keys, struct step *step);

/* A key of events that executors hear of: on several hosts, and not with the `host`'s. */
void check_executors(const struct check *check, const struct tree_node *keys, const char *key,
	bool host, const char *why);

#endif
