/* Probe of starting a thread: the cost for the starting thread. */
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "world/world.h"

static void nothing(void *argument)
{
	(void)argument;
}

static void spawn_run(struct probing *probing)
{
	struct samples samples = {0};

	for (uint32_t i = 0; i < probing->pace->events; i++) {
		int64_t begin_ns = clock_thread_ns();
		struct thread *thread =
			world->spawn("spawned", (struct affinity){0, -1}, nothing, NULL);

		samples_add(&samples, (double)(clock_thread_ns() - begin_ns));
		world->join(thread);
	}
	probe_median(probing, "host.spawn", "ps", 1e3, &samples,
		"threads started one after the other, CPU time of who starts them");
	samples_fini(&samples);
}

const struct probe probe_spawn = {"spawn", "a thread started", spawn_run};
