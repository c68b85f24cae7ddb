/* Probe of the lock-step allocator, with buffers of mixed sizes that are allocated and freed. */
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "memory/allocator.h"
#include "probe.h"

enum { ALIVE = 128, ALIGNMENT = 32, RANGE = 1 << 26 };

struct buffers {
	struct allocator *allocator;
	uint64_t addresses[ALIVE];
	uint32_t next; /* index of the next buffer to replace */
};

static void probes_allocator_take(struct buffers *buffers, uint32_t which)
{
	uint64_t bytes = UINT64_C(1) << (5 + which * 7 % 13);

	ensure(allocator_take(buffers->allocator, bytes, which % 2, &buffers->addresses[which],
		       NULL) == STATUS_OK,
		"no room");
}

/* Each call frees and allocates a buffer: two units of work. */
static void allocator_replace(void *argument, uint32_t calls)
{
	struct buffers *buffers = argument;

	for (uint32_t i = 0; i < calls; i++) {
		buffers->next = (buffers->next + 37) % ALIVE;
		allocator_release(buffers->allocator, buffers->addresses[buffers->next]);
		probes_allocator_take(buffers, buffers->next);
	}
}

static void allocator_run(struct probing *probing)
{
	struct buffers buffers = {.allocator = allocator_new("measured", 0, RANGE, ALIGNMENT)};
	struct samples samples = {0};

	for (uint32_t i = 0; i < ALIVE; i++)
		probes_allocator_take(&buffers, i);
	probe_rounds(probing->pace, allocator_replace, &buffers, &samples);
	probe_median(probing, "host.work.allocate.cost", "ps", 1e3 / 2, &samples,
		"among 128 buffers of 32 B to 128 KiB, CPU time a take or a release");
	samples_fini(&samples);
	allocator_free(buffers.allocator);
}

const struct probe probe_allocator = {
	"allocator", "buffers taken from the lock-step allocator and given back", allocator_run};
