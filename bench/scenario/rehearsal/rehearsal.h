/* The rehearsal of a run: its meshes as the runtime plans them, with no chips behind them
 * (mesh_system_plan()). The check of a step makes there what the run will make, and leaves it, so
 * the runtime itself rejects an object that the run could not make beside those before it. */
#ifndef BENCH_REHEARSAL_H
#define BENCH_REHEARSAL_H

#include "bench/scenario/load.h"
#include "mesh/handle.h"

struct rehearsal; /* opaque */

/* Begins a rehearsal in which no mesh is open. The native world stands in for the run's, until
 * rehearsal_free(). */
struct rehearsal *rehearsal_new(const struct run_plan *run);

/* Closes everything, and restores the world. NULL is allowed. */
void rehearsal_free(struct rehearsal *rehearsal);

/* Opens mesh `number` of the scenario: beside the others that are open at the start if it is one of
 * these, else alone. On a machine of several hosts every host's part must open, and the part of the
 * host whose firmware takes most stays. *failed is what cannot be opened. Errors of mesh_open(),
 * with a sentence in `why`; OUT_OF_RANGE if a mesh of several hosts is not within the machine. */
enum status rehearsal_open(struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_config *config, struct mesh_config *failed, struct text *why);

/* The device of a mesh that was opened; on a machine of several hosts the part that stays. */
struct device_handle *rehearsal_device(const struct rehearsal *rehearsal, uint32_t number);

/* Divides it as the scenario says, if it does. Errors of sub_devices_load(); it is whole then. */
enum status rehearsal_divide(struct rehearsal *rehearsal, uint32_t number, struct text *why);
bool rehearsal_is_divided(const struct rehearsal *rehearsal, uint32_t number);

/* Make a buffer or a tensor on a mesh that was opened. Errors of buffer_new() and tensor_new() of
 * mesh/handle.h, with a sentence in `why`. */
enum status rehearsal_buffer(struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why);
enum status rehearsal_tensor(struct rehearsal *rehearsal, uint32_t number,
	const struct layout *layout, struct text *why);

#endif
