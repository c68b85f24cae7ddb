/* The rehearsal of a run: finds objects that do not fit into memory, without chips. The runtime
 * plans the run's meshes (mesh_system_plan()). The check of each step then makes on these meshes
 * the same objects as the run will make, and keeps them. So if there is no space for an object, the
 * runtime itself reports this. */
#ifndef BENCH_REHEARSAL_H
#define BENCH_REHEARSAL_H

#include "bench/scenario/load.h"
#include "mesh/handle.h"

struct rehearsal; /* opaque */

/* Creates a rehearsal without open meshes. Sets the global variable `world` to the native world;
 * rehearsal_free() restores it. */
struct rehearsal *rehearsal_new(const struct run_plan *run);

/* Closes everything, and restores the world. NULL is allowed. */
void rehearsal_free(struct rehearsal *rehearsal);

/* Opens mesh `number` of the scenario. All meshes that are open at the start of the run belong to
 * one struct mesh_system; each of the remaining meshes has its own. On a machine of several hosts,
 * opens the part of every host to find errors, and keeps open only the part with the fewest
 * workers, whose firmware takes the most cores. Returns OK, or an error with a sentence in `why`:
 * an error of mesh_open(), or OUT_OF_RANGE if the mesh is not within a machine of several hosts.
 * After an error, *failed is the mesh or part that could not be opened. */
enum status rehearsal_open(struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_config *config, struct mesh_config *failed, struct text *why);

/* Returns the device of an open mesh. On a machine of several hosts, this is the device of the part
 * that stays open. */
struct device_handle *rehearsal_device(const struct rehearsal *rehearsal, uint32_t number);

/* Makes the scenario's divisions into sub-devices, and loads the initial one (runtime.sub_devices),
 * if there is one. Returns OK, or an error of sub_devices_load() or sub_devices_create(). After an
 * error, *division is the number of the division that has the error. */
enum status rehearsal_divide(
	struct rehearsal *rehearsal, uint32_t number, uint32_t *division, struct text *why);

/* Loads a division. Returns the errors of sub_devices_switch(). */
enum status rehearsal_load(
	struct rehearsal *rehearsal, uint32_t number, uint32_t division, struct text *why);
bool rehearsal_is_divided(const struct rehearsal *rehearsal, uint32_t number);

/* These functions make a buffer or a tensor on an open mesh. They return the errors of buffer_new()
 * and tensor_new() of mesh/handle.h, with a sentence in `why`. Programs find a buffer by its
 * `name`, which is NULL if no program uses the buffer. */
enum status rehearsal_buffer(struct rehearsal *rehearsal, uint32_t number, const char *name,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why);
enum status rehearsal_tensor(struct rehearsal *rehearsal, uint32_t number,
	const struct layout *layout, struct text *why);

/* Frees the last buffer that was made with this name. Does nothing if there is none. */
void rehearsal_free_buffer(struct rehearsal *rehearsal, uint32_t number, const char *name);

/* Makes the programs of an enqueue_workload step (bench/scenario/step_make.h), and finds the
 * sub-device of each program. The buffers that a program uses must already exist; a program with a
 * missing buffer is not made. Returns false if a program was not made, or after errors in
 * `diag`. */
bool rehearsal_workload(struct rehearsal *rehearsal, struct step *step, struct diag *diag);

/* Checks that every workload fits beside all objects of its mesh. Located errors go to `diag`. */
void rehearsal_fit(struct rehearsal *rehearsal, struct diag *diag);

#endif
