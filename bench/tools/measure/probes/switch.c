/* Probe of context switches. Two threads on the same core yield the core to each other. The result
 * is the CPU time of both threads, divided by the number of context switches that the kernel
 * counted. The number of yields would not do, because a yield need not switch, and other threads
 * may use the core, too. */
#include <sched.h>
#include <sys/resource.h>

#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "world/world.h"

enum { YIELDS = 500 };

static int64_t switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void yield_until(void *argument)
{
	const bool *over = argument;

	while (!__atomic_load_n(over, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void switch_run(struct probing *probing)
{
	static const char how[] =
		"two threads that yield one core to each other, CPU time a switch";
	struct samples samples = {0};
	struct thread *other;
	bool over = false;

	ensure(world->bind(0) == STATUS_OK, "cannot be bound to a core");
	other = world->spawn("switch", (struct affinity){0, 0}, yield_until, &over);
	for (uint32_t round = 0; round < 2 + probing->pace->rounds; round++) {
		int64_t begin_ns = clock_process_ns(), before = switches();

		for (uint32_t i = 0; i < YIELDS; i++)
			sched_yield();
		if (round >= 2 && switches() - before >= YIELDS)
			samples_add(&samples, (double)(clock_process_ns() - begin_ns) /
						      (double)(switches() - before));
	}
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	world->join(other);
	world->bind(-1);
	if (samples.count == 0)
		probe_refuse(probing, "host.switch", how,
			"the kernel does not switch when threads yield");
	else
		probe_median(probing, "host.switch", "ps", 1e3, &samples, how);
	samples_fini(&samples);
}

const struct probe probe_switch = {
	"switch", "a core changes from one thread to another", switch_run};
