/* Figures that the operating system reports about the machine: cores, sockets, caches. */
#include <unistd.h>

#include "probe.h"
#include "world/world.h"

static void machine_add(
	struct probing *probing, const char *name, const char *unit, long value, const char *how)
{
	struct figure *figure;

	if (value <= 0) {
		probe_refuse(probing, name, how, "the machine does not say");
		return;
	}
	figure = probe_figure(probing, name, unit, how);
	figure->value = figure->p50 = figure->p90 = figure->p99 = (double)value;
	figure->repetitions = 1;
}

static void machine_run(struct probing *probing)
{
	uint16_t cores = world->core_count(0), sockets = 0;

	for (uint16_t core = 0; core < cores; core++) {
		bool seen = false;

		for (uint16_t before = 0; before < core; before++)
			seen |= world->core_socket(0, before) == world->core_socket(0, core);
		sockets = (uint16_t)(sockets + !seen);
	}
	machine_add(
		probing, "host.sockets", "count", sockets, "sockets of the cores that may be used");
	machine_add(probing, "host.cores_per_socket", "count", cores / (sockets ? sockets : 1),
		"cores that may be used");
	machine_add(probing, "host.cache_size", "B", sysconf(_SC_LEVEL2_CACHE_SIZE),
		"second-level cache of a core");
}

const struct probe probe_machine = {
	"machine", "cores, sockets and caches, as they are", machine_run};
