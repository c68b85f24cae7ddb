/* Chooses the dispatcher that executes a queue's broadcasts on a device (spec 3.8.3). This is
 * either the dispatcher that also executes the queue's unicasts, or a second dispatcher. If there
 * are two dispatchers, the variant of runtime.forward.ordering makes them take turns. */
#include "mesh/choice/rows.h"

const struct dispatcher_ops dispatcher_shared = {
	.entry = {.name = "shared",
		.description = "a queue's dispatcher on a chip takes unicasts and broadcasts, each "
			       "from a ring",
		.section = "3.8.3",
		.resources = "a dispatcher per queue and chip, with two rings"},
};

const struct dispatcher_ops dispatcher_dedicated = {
	.entry = {.name = "dedicated",
		.description = "broadcasts have a dispatcher of their own; what goes to the host "
			       "goes by unicast; with ordering event",
		.section = "3.8.3",
		.resources = "two dispatchers per queue and chip, with a ring each; per turn one "
			     "waits for the other, and for its workers of the same sub-devices"},
	.dedicated = true,
};
