/* What a scenario on a machine of several hosts may ask for, and whether every host can open its
 * part of the mesh. */
#ifndef BENCH_HOSTS_CHECK_H
#define BENCH_HOSTS_CHECK_H

#include "bench/scenario/load.h"
#include "mesh/mesh.h"

/* Refuses what devices of several hosts do not do (distributed/controller.h), at the key or step
 * that asks for it. False with errors in `diag`. All is well on a machine of one host. */
bool machine_check(const struct run_plan *run, struct diag *diag);

/* Plans the part of every host. *resources are those of the host of which firmware takes most;
 * *failed is the part that cannot be made. Errors of mesh_plan(); OUT_OF_RANGE: the mesh does not
 * lie on the machine, and *failed is all of it. */
enum status machine_plan(const struct run_plan *run, const struct mesh_config *config,
	struct mesh_resources *resources, struct mesh_config *failed, struct text *why);

#endif
