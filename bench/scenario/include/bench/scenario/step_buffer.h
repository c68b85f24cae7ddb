/* The buffer that a write_buffer step makes: one place where keys become layouts, for who checks a
 * scenario and who runs it. */
#ifndef BENCH_SCENARIO_STEP_BUFFER_H
#define BENCH_SCENARIO_STEP_BUFFER_H

#include "bench/scenario/scenario.h"

/* Fills its spread over devices of a mesh of `shape`, and its layout on each of them. */
void step_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct mesh_layout *layout,
	struct buffer_config *config);

#endif
