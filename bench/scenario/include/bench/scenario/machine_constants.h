/* What model and firmware need of a platform: the tables of constants, and the structs filled. */
#ifndef BENCH_MACHINE_CONSTANTS_H
#define BENCH_MACHINE_CONSTANTS_H

#include "chip/constants.h"
#include "firmware/core/firmware.h"
#include "host/constants.h"
#include "platform/platform.h"

/* Everything numeric of one machine. */
struct machine_constants {
	struct chip_constants chip;
	struct host_constants host;
	struct firmware_costs firmware_costs;
	struct firmware_limits firmware_limits;
};

/* What a scenario says of hosts besides (model.noise, model.scheduler). */
struct host_model {
	bool noise;
	uint32_t scheduler;
};

/* Fills them. */
void machine_constants_bind(const struct platform *platform, struct host_model host,
	struct machine_constants *constants);

/* The chip's alone. */
void machine_chip_constants(const struct platform *platform, struct chip_constants *constants);

/* A platform by its name or file, with the constants of all rooms, from the folder of platforms.
 * NULL after errors. */
struct platform *machine_platform(const char *name, struct diag *diag);

#endif
