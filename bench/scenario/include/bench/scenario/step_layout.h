/* Layouts of the buffers and tensors that a scenario's steps move, used for checking scenarios
 * and for running them. */
#ifndef BENCH_SCENARIO_STEP_LAYOUT_H
#define BENCH_SCENARIO_STEP_LAYOUT_H

#include "bench/scenario/scenario.h"
#include "layout/layout.h"
#include "mesh/sub_device.h"

/* The layout of the buffer that a write_buffer step creates, used for checking scenarios and for
 * running them. */

/* Number of parts into which the buffer is cut over devices of a mesh of `shape`, 1: replicas; and
 * the part of one device. */
uint32_t step_buffer_parts(const struct write_step *step, struct mesh_shape shape);
uint32_t step_buffer_part(
	const struct write_step *step, struct mesh_shape shape, uint32_t row, uint32_t column);

/* Fills its distribution over devices of a mesh of `shape`, and its layout on each of them. */
void step_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct mesh_layout *layout,
	struct buffer_config *config);

/* The sub-devices into which a scenario divides its meshes; `each` has SUB_DEVICES_MAX elements,
 * which the result refers to. Its count is 0 if devices are whole. */
struct sub_devices_config step_sub_devices(
	const struct scenario *scenario, struct sub_device_config *each);

/* Layouts of the tensors that a scenario's steps move. */

/* The layout of the tensor that a step writes or reads, given by the first step that names it.
 * False with located errors in `diag` if there is none. */
bool step_tensor_layout(const struct scenario *scenario, const struct step *step, struct diag *diag,
	struct layout *layout);

/* Bytes of the tensor on a device, without the rounding of shards to pages; 0 if its layout has
 * errors, which are reported elsewhere. */
uint64_t step_tensor_device_bytes(const struct scenario *scenario, const struct step *step);

#endif
