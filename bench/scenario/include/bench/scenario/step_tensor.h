/* Layouts of the tensors that a scenario's steps move. */
#ifndef BENCH_SCENARIO_STEP_TENSOR_H
#define BENCH_SCENARIO_STEP_TENSOR_H

#include "bench/scenario/scenario.h"
#include "layout/layout.h"

/* The layout of the tensor that a step writes or reads, given by the first step that names it.
 * False with located errors in `diag` if there is none. */
bool step_tensor_layout(const struct scenario *scenario, const struct step *step, struct diag *diag,
	struct layout *layout);

/* Bytes of the tensor on a device, without the rounding of shards to pages; 0 if its layout has
 * errors, which are reported elsewhere. */
uint64_t step_tensor_device_bytes(const struct scenario *scenario, const struct step *step);

#endif
