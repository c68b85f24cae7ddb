/* The layout of the buffer that a write_buffer step creates, used for checking scenarios and for
 * running them. */
#ifndef BENCH_SCENARIO_STEP_BUFFER_H
#define BENCH_SCENARIO_STEP_BUFFER_H

#include "bench/scenario/scenario.h"

/* Number of parts into which the buffer is cut over devices of a mesh of `shape`, 1: replicas; and
 * the part of one device. */
uint32_t step_buffer_parts(const struct write_step *step, struct mesh_shape shape);
uint32_t step_buffer_part(
	const struct write_step *step, struct mesh_shape shape, uint32_t row, uint32_t column);

/* Fills its distribution over devices of a mesh of `shape`, and its layout on each of them. */
void step_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct mesh_layout *layout,
	struct buffer_config *config);

#endif
