/* Conditions on the steps of a workload; see step_check.c. */
#ifndef BENCH_STEP_CHECK_H
#define BENCH_STEP_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

/* Checks every step of a bound run against its mesh, of which each has a configuration and
 * resources here, and can be made. Completes write_buffer steps that leave the size to an earlier
 * one. Errors and warnings go to `diag`. */
void steps_check(const struct run_plan *run, const struct mesh_config *configs,
	const struct mesh_resources *resources, struct diag *diag);

/* step_order.c: races between command queues of a mesh, or its sub-devices, whose devices have
 * this geometry, in steps that have no other error. */
void check_order(const struct run_plan *run, uint32_t mesh, const struct mesh_config *config,
	const struct chip_geometry *geometry, struct diag *diag);

/* step_fabric.c: of the steps that measure the fabric. */
void check_fabric_ping(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);
void check_fabric_traffic(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);

/* step_program.c: of the steps that launch programs; `keys` are the step's. */
void check_programs(const struct run_plan *run, const struct mesh_config *config,
	const struct mesh_resources *resources, const struct chip_geometry *geometry,
	const struct tree_node *keys, const struct step *step, struct diag *diag);

/* Devices that a step names are of the mesh. */
void check_devices(const struct mesh_config *config, struct diag *diag,
	const struct devices_keys *devices, struct location where);

/* step_tensor.c: of the steps that move tensors, on devices of this geometry. */
void check_tensor(const struct run_plan *run, const struct mesh_config *config,
	const struct chip_geometry *geometry, const struct step *step, struct diag *diag);

/* step_names.c: what measure.trace names exists. */
void trace_check(const struct run_plan *run, struct diag *diag);

/* scale_check.c: the time of all kernels and the data of all buffers, of steps without errors. */
void scale_check(const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

/* idle_keys.c: warns of keys that have no effect in this run, which has no errors. */
void warn_idle_keys(
	const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

#endif
