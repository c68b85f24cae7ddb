/* Queues of the tasks of a pool (spec 3.9.2): which thread takes which. The queues themselves are
 * the pool's (world/pool.h). */
#include "mesh/choice/rows.h"

const struct queues_ops queues_shared = {
	.entry = {.name = "shared",
		.description = "one queue: whoever is free takes the next task",
		.section = "3.9.2",
		.resources = "a queue of 1,024 tasks in host memory"},
	.kind = POOL_SHARED,
};

const struct queues_ops queues_own = {
	.entry = {.name = "own",
		.description = "a queue per thread, tasks dealt out round all threads",
		.section = "3.9.2",
		.resources = "a queue of 1,024 tasks in host memory per thread"},
	.kind = POOL_OWN,
};

const struct queues_ops queues_stealing = {
	.entry = {.name = "stealing",
		.description = "a queue per thread; who has no task left takes one of another",
		.section = "3.9.2",
		.resources = "a queue of 1,024 tasks and a bell in host memory per thread"},
	.kind = POOL_STEALING,
};
