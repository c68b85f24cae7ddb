/* Writes a planned Chakra trace as a scenario. Only for files of this folder. */
#ifndef CHAKRA_SCENARIO_H
#define CHAKRA_SCENARIO_H

#include "bench/tools/import/import.h"
#include "chakra_plan.h"
#include "mesh/mesh.h"

struct chakra_writing {
	const struct import_request *request;
	const char *machine;
	const char *assumptions; /* lines for the head of the scenario */
	const struct chakra_plan *plan;
	uint64_t *const *time_ns; /* [rank][node] */
	struct mesh_shape shape;  /* of the mesh */
	bool ring;		  /* the devices form a ring, in the order of `devices` */
	const uint32_t *devices;  /* [rank] */
};

/* True if a collective with this number can be a step. */
bool chakra_collective_runs(uint32_t comm);

/* Appends the scenario. Appends to `notes` what it leaves out. */
void chakra_scenario_write(const struct chakra_trace *trace, const struct chakra_writing *writing,
	struct text *scenario, struct text *notes);

#endif
