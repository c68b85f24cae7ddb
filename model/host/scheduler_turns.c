/* The scheduler `turns`, which gives cores to threads first come, first served, for a quantum each.
 * A woken thread never preempts a running thread. */
#include "host_private.h"

#include <stddef.h>

static void nothing(struct thread *thread)
{
	(void)thread;
}

static struct thread *scheduler_turns_choose(struct core *core)
{
	struct thread *pinned = core->queue.first, *any = core->host->queue.first;

	return pinned && (!any || pinned->queued < any->queued) ? pinned : any;
}

static bool scheduler_turns_takes(struct core *core, const struct thread *woken)
{
	(void)core;
	(void)woken;
	return false;
}

static bool makes_way(struct core *core)
{
	(void)core;
	return true;
}

static int64_t until_ps(const struct core *core)
{
	return core->slice_ps + core->host->constants->quantum_ps;
}

const struct scheduler scheduler_turns = {
	.entry = {.name = "turns", .description = "first come, first served, for a quantum each"},
	.join = nothing,
	.leave = nothing,
	.begin = nothing,
	.end = nothing,
	.wait = nothing,
	.wait_no_longer = nothing,
	.find = nothing,
	.choose = scheduler_turns_choose,
	.takes = scheduler_turns_takes,
	.makes_way = makes_way,
	.until_ps = until_ps,
};
