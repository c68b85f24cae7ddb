/* The registry of schedulers (host/constants.h). */
#include "host_private.h"

#include <stddef.h>

static const struct scheduler *const rows[] = {&scheduler_turns, &scheduler_fair};

const char *host_scheduler_name(uint32_t index)
{
	return index < sizeof rows / sizeof *rows ? rows[index]->name : NULL;
}

bool host_scheduler_gets_on(const struct host_constants *constants)
{
	return constants->quantum_ps > constants->switch_ps ||
	       !rows[constants->scheduler]->counts_switches;
}

const struct scheduler *scheduler_at(uint32_t index)
{
	return index < sizeof rows / sizeof *rows ? rows[index] : NULL;
}
