/* Lists the resources that each kind of stage needs on a chip, for `meshsim list`. The resources
 * are measured by placing the stage on an empty tile. */
#ifndef FIRMWARE_RESOURCES_H
#define FIRMWARE_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/core/firmware.h"

struct stage_resources {
	const char *role;	 /* role of the stage, for example "prefetch_hd" */
	const char *description; /* description in one line */
	const char *section;	 /* section of the specification */
	uint32_t processors;	 /* number of RISC-V processors */
	uint32_t words;		 /* number of words of 4 B at the start of L1 */
	uint32_t l1_bytes;	 /* bytes of bulk L1 */
	uint32_t dram_bytes;
	bool pcie; /* the stage is only on chips with PCIe */
};

/* Describes stage kind number `index` (from 0) in *out. The stage is placed with the sizes in
 * *limits. A packetizer is measured with `receivers` receivers, an aggregator with `receivers`
 * paths, and a dispatcher with `inputs` inputs. Returns false if there is no kind with this
 * number. */
bool stage_resources_row(size_t index, const struct firmware_limits *limits, uint32_t receivers,
	uint32_t inputs, struct stage_resources *out);

#endif
