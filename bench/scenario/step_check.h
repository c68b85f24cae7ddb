/* Checks of a bound run: of its machine of several hosts, and of the steps of its workload. */
#ifndef BENCH_STEP_CHECK_H
#define BENCH_STEP_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

struct rehearsal;

/* Checks of scenarios on machines of several hosts. */

/* Reports keys and steps that devices over several hosts do not support (distributed/controller.h).
 * False with located errors in `diag`. Always true on a machine of one host. */
bool machine_check(const struct run_plan *run, struct diag *diag);

/* Checks every step of a bound run against its mesh. `configs` has an entry for each mesh; all of
 * them are open in the rehearsal. Also fills in the size of write_buffer steps that take it from an
 * earlier one. Errors and warnings go to `diag`. */
void steps_check(const struct run_plan *run, const struct mesh_config *configs,
	struct rehearsal *rehearsal, struct diag *diag);

/* step_order.c: reports races between command queues or sub-devices of a mesh, whose devices have
 * this geometry. The steps must have no other error. */
void check_order(const struct run_plan *run, uint32_t mesh, const struct mesh_config *config,
	const struct chip_geometry *geometry, struct diag *diag);

/* step_fabric.c: checks of the steps that measure the fabric. */
void check_fabric_ping(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);
void check_fabric_traffic(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag);

/* step_program.c: checks of the steps that launch programs; `keys` are the step's. */
void check_programs(const struct run_plan *run, const struct mesh_config *config,
	const struct mesh_resources *resources, const struct chip_geometry *geometry,
	const struct tree_node *keys, const struct step *step, struct diag *diag);

/* Checks that the devices of a step are in the mesh. */
void check_devices(const struct mesh_config *config, struct diag *diag,
	const struct devices_keys *devices, struct location where);

/* step_tensor.c: checks of the steps that move tensors. */
void check_tensor(const struct run_plan *run, struct rehearsal *rehearsal, const struct step *step,
	struct diag *diag);

/* step_names.c: checks that the names in measure.trace exist. */
void trace_check(const struct run_plan *run, struct diag *diag);

/* scale_check.c: checks the total time of kernels and data of buffers, of steps without errors. */
void scale_check(const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

/* idle_keys.c: warns of keys that have no effect in this run. The run must have no errors. */
void warn_idle_keys(
	const struct run_plan *run, const struct mesh_config *configs, struct diag *diag);

#endif
