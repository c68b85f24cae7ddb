/* The variant `phased` of struct tasks_ops (spec 3.9.2). In the first phase, the threads of a pool
 * create all operations and build all commands. In the second phase, they send the commands. The
 * operations of a workload's programs are also created in parallel. */
#include "mesh/choice/rows.h"

static void phased_run(struct mesh_device *mesh, const struct range_post *posts, uint32_t count)
{
	spread_run(mesh, posts, count, 1);
}

const struct tasks_ops tasks_phased = {
	.entry = {.name = "phased",
		.description = "tasks that create operations; when all are over, tasks that send",
		.section = "3.9.2",
		.resources = "two hand-overs for each device; the commands of all devices at once"},
	.phased = true,
	.run = phased_run,
};
