/* Probe of entering and leaving an uncontended monitor. */
#include "probe.h"
#include "world/world.h"

static void enter_and_exit(void *argument, uint32_t calls)
{
	for (uint32_t i = 0; i < calls; i++) {
		world->monitor_enter(argument);
		world->monitor_exit(argument);
	}
}

static void monitor_run(struct probing *probing)
{
	struct monitor *monitor = world->monitor_new("measured");
	struct samples samples = {0};

	probe_rounds(probing->pace, enter_and_exit, monitor, &samples);
	probe_median(probing, "host.monitor", "ps", 1e3, &samples,
		"entered and left, without contention, CPU time");
	samples_fini(&samples);
	world->monitor_free(monitor);
}

const struct probe probe_monitor = {"monitor", "a monitor entered and left", monitor_run};
