/* Computes the layouts of the buffers and tensors that a scenario's steps write and read. The check
 * and the run of a scenario use the same layouts. */
#ifndef BENCH_SCENARIO_STEP_LAYOUT_H
#define BENCH_SCENARIO_STEP_LAYOUT_H

#include "bench/scenario/scenario.h"
#include "layout/layout.h"
#include "mesh/sub_device.h"

/* Layouts of the buffers that write_buffer steps create. */

/* Returns the number of different parts into which a buffer is divided over the devices of a mesh
 * of `shape`. Returns 1 if each device has a copy of the whole buffer. */
uint32_t step_buffer_parts(const struct write_step *step, struct mesh_shape shape);

/* Returns the element type with which the key `save` stores a buffer's data. This is the type of
 * the buffer's numbers, or U8 if the data are random bits or a block format. */
enum element step_saved_element(const struct write_step *write);

/* Fills *layout with the buffer's distribution over devices of a mesh of `shape`. */
void step_buffer_spread(
	const struct write_step *step, struct mesh_shape shape, struct mesh_layout *layout);

/* Fills the buffer's distribution over devices of a mesh of `shape`, and its layout on each. */
void step_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct mesh_layout *layout,
	struct buffer_config *config);

/* Returns the configuration of a division into sub-devices (bench/scenario/key_structs.h).
 * `division` must not be DIVISION_WHOLE. The result refers to the array `each`, which has
 * SUB_DEVICES_MAX elements. */
struct sub_devices_config step_sub_devices(
	const struct scenario *scenario, uint32_t division, struct sub_device_config *each);

/* Layouts of the tensors that a scenario's steps move. */

/* Sets *layout to the layout of the tensor that a step writes or reads. The first step that names
 * the tensor defines this layout. Returns false with errors in `diag` if the layout is not
 * valid. */
bool step_tensor_layout(const struct scenario *scenario, const struct step *step, struct diag *diag,
	struct layout *layout);

/* Returns the number of bytes that the tensor has on one device, before shards are rounded up to
 * whole pages. Returns 0 if its layout has errors, which are reported elsewhere. */
uint64_t step_tensor_device_bytes(const struct scenario *scenario, const struct step *step);

#endif
