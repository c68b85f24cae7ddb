/* Checks a bound run: its keys if the machine has several hosts, and the steps of its workload. */
#ifndef BENCH_STEP_CHECK_H
#define BENCH_STEP_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

struct rehearsal;

/* Checks of scenarios on machines of several hosts. */

/* Reports keys and steps that are not supported if devices are distributed over several hosts
 * (distributed/controller.h). Returns false with errors in `diag`. On a machine of one host,
 * always returns true. */
bool machine_check(const struct run_plan *run, struct diag *diag);

/* The part of machine_check() about broadcasts that cross hosts (machine/span_check.c). */
void span_check(const struct run_plan *run, struct diag *diag);

/* Checks every step of a run against the step's mesh. `configs` has an entry for each mesh, and all
 * meshes must be open in the rehearsal. If a write_buffer step has no size, copies the size from
 * the earlier step that writes the same buffer. Errors and warnings go to `diag`. */
void steps_check(const struct run_plan *run, const struct mesh_config *configs,
	struct rehearsal *rehearsal, struct diag *diag);

/* step_order.c: reports races between command queues or sub-devices of a mesh. `geometry` describes
 * the chips of the mesh. The steps must have no other error. Does nothing unless measure.verify is
 * set. */
void check_order(const struct run_plan *run, uint32_t mesh, const struct mesh_config *config,
	const struct chip_geometry *geometry, struct diag *diag);

/* step_fabric.c: checks of the steps that measure the fabric. */
void check_fabric_ping(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);
void check_fabric_traffic(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);

/* step_program.c: checks the keys of steps that launch programs. `keys` are the keys of the
 * step. */
void check_programs(const struct tree_node *keys, const struct step *step, struct diag *diag);

/* Checks that the devices of a step are in the mesh. */
void check_devices(const struct mesh_config *config, struct diag *diag,
	const struct devices_keys *devices, struct location where);

/* step_tensor.c: checks of the steps that move tensors. */
void check_tensor(const struct run_plan *run, struct rehearsal *rehearsal, const struct step *step,
	struct diag *diag);

/* step_names.c: checks that the names in measure.trace exist. */
void trace_check(const struct run_plan *run, struct diag *diag);

/* scale_check.c: checks the total time of kernels and the total data of buffers. The steps must
 * have no errors. */
void scale_check(const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

/* idle_keys.c: warns of keys that have no effect in this run. The run must have no errors. */
void warn_idle_keys(
	const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

#endif
