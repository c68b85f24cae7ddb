/* See processes_cores.h. Refuses to choose among cores: the machine file says whether. */
#include "processes_cores.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/refuse.h"
#include "bench/scenario/hosts.h"

enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why)
{
	cpu_set_t own, one;
	uint32_t left;

	if (!machine_binds(platform))
		return STATUS_OK;
	if (sched_getaffinity(0, sizeof own, &own) != 0)
		return refuse(why, STATUS_IO, "cannot ask for cores: %s", strerror(errno));
	left = server % (uint32_t)CPU_COUNT(&own);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &own) && left-- == 0)
			CPU_SET(i, &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0)
		return refuse(why, STATUS_IO, "cannot be bound to a core: %s", strerror(errno));
	return STATUS_OK;
}
