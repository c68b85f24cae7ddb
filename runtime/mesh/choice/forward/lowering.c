/* Chooses the order in which the commands of a workload are sent to its devices (spec 3.10.2).
 * mesh/program defines the kinds of commands. */
#include "mesh/choice/rows.h"

const struct lowering_ops lowering_depth_first = {
	.entry = {.name = "depth-first",
		.description = "all that one device, or one part that is broadcast, needs of a "
			       "workload; then the next",
		.section = "3.10.2",
		.resources = "a transaction per device, or part, and workload"},
};

const struct lowering_ops lowering_breadth_first = {
	.entry = {.name = "breadth-first",
		.description = "configuration to all devices, then kernels, then launch messages; "
			       "go signals at the end",
		.section = "3.10.2",
		.resources = "a transaction per device, or part, and kind of command"},
	.breadth_first = true,
};
