/* Checks of scenarios on machines of several hosts, and whether every host can open its part of the
 * mesh. */
#ifndef BENCH_HOSTS_CHECK_H
#define BENCH_HOSTS_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

/* Reports keys and steps that devices over several hosts do not support (distributed/controller.h).
 * False with located errors in `diag`. Always true on a machine of one host. */
bool machine_check(const struct run_plan *run, struct diag *diag);

/* Plans the part of every host. *resources are those of the host on which firmware takes most;
 * *failed is the part that cannot be opened. Returns errors of mesh_plan(); OUT_OF_RANGE if the
 * mesh is not within the machine, then *failed is all of it. */
enum status machine_plan(const struct run_plan *run, const struct mesh_config *config,
	struct mesh_resources *resources, struct mesh_config *failed, struct text *why);

#endif
