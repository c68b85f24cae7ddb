/* The registry of schedulers (host/constants.h). */
#include "host_private.h"

static const struct scheduler *const rows[] = {&scheduler_turns, &scheduler_fair};

REGISTRY_OF_POINTERS(scheduler, scheduler, "model.scheduler", "scheduler of host threads", rows)

bool host_scheduler_gets_on(const struct host_constants *constants)
{
	return constants->quantum_ps > constants->switch_ps ||
	       !rows[constants->scheduler]->counts_switches;
}
