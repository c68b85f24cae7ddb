/* Chooses the queues in which a pool's tasks wait (spec 3.9.2). The kind of queue determines the
 * thread that gets a task. world/pool.h implements the queues. */
#include "mesh/choice/rows.h"

#define QUEUES_ROW(row, kind_, what, takes)                                                        \
	const struct queues_ops queues_##row = {.entry = {.name = #row,                            \
							.description = what,                       \
							.section = "3.9.2",                        \
							.resources = takes},                       \
		.kind = kind_}

QUEUES_ROW(shared, POOL_SHARED, "one queue: a free thread takes the next task",
	"a queue of 1,024 tasks in host memory");
QUEUES_ROW(own, POOL_OWN, "a queue per thread, tasks dealt out round all threads",
	"a queue of 1,024 tasks in host memory per thread");
QUEUES_ROW(stealing, POOL_STEALING,
	"a queue per thread; a thread without tasks takes one of another",
	"a queue of 1,024 tasks and a bell in host memory per thread");
