/* Converts the keys of a scenario to the configuration of a mesh. */
#ifndef BENCH_SCENARIO_MESH_CONFIG_H
#define BENCH_SCENARIO_MESH_CONFIG_H

#include "bench/scenario/scenario.h"
#include "firmware/core/firmware.h"
#include "mesh/mesh.h"
#include "platform/platform.h"

/* Fills `config` for mesh `number` of `scenario` on `platform`. `costs` and `limits` may be NULL if
 * the mesh is only planned. */
void scenario_mesh_config(const struct scenario *scenario, const struct platform *platform,
	const struct firmware_costs *costs, const struct firmware_limits *limits, uint32_t number,
	struct mesh_config *config);

#endif
