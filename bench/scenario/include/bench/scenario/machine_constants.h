/* Reads the constants of a machine from its platform, and the configuration of a mesh from the keys
 * of a scenario. */
#ifndef BENCH_MACHINE_CONSTANTS_H
#define BENCH_MACHINE_CONSTANTS_H

#include "chip/sim_device.h"
#include "firmware/core/firmware.h"
#include "host/constants.h"
#include "platform/platform.h"
#include "bench/scenario/scenario.h"
#include "mesh/mesh.h"

/* The fractions of the machine's peak rates that operations of neural networks reach
 * (bench/tools/models). Runs do not use these constants. */
struct roofline_constants {
	double matrix, vector, dram_interleaved, dram_sharded, noc, fabric;
};

/* All constants of one machine. */
struct machine_constants {
	struct chip_constants chip;
	struct host_constants host;
	struct firmware_costs firmware_costs;
	struct firmware_limits firmware_limits;
	struct roofline_constants roofline;
};

/* Keys of a scenario for the host model (model.noise, model.scheduler, runtime.host.spin_ns). */
struct host_model {
	bool noise;
	uint32_t scheduler;
	uint64_t spin_ns; /* 0: the value of the platform */
};

struct host_model scenario_host_model(const struct scenario *scenario);

/* Fills `constants`. */
void machine_constants_bind(const struct platform *platform, struct host_model host,
	struct machine_constants *constants);

/* Fills only the constants of the chip. */
void machine_chip_constants(const struct platform *platform, struct chip_constants *constants);

/* Opens a platform and checks the constants of all components. `name` is the name of a file in the
 * folder of platforms, or a path. Returns NULL after errors, which are in `diag`. */
struct platform *machine_platform(const char *name, struct diag *diag);

/* Converts the keys of a scenario to the configuration of a mesh. */

/* Fills `config` for mesh `number` of `scenario` on `platform`. `costs` and `limits` may be NULL if
 * the mesh is only planned. */
void scenario_mesh_config(const struct scenario *scenario, const struct platform *platform,
	const struct firmware_costs *costs, const struct firmware_limits *limits, uint32_t number,
	struct mesh_config *config);

#endif
