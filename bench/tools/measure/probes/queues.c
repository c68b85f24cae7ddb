/* Probe of queues between host threads. The same thread pushes and pops, so no thread waits.
 * Wake-ups are measured by another probe. */
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "world/queue.h"

enum { ITEMS = 64 };

struct times {
	struct queue *queue;
	int64_t push_ns, pop_ns; /* times of the last round */
	uint32_t rounds;
};

static void fill_and_drain(struct times *times)
{
	int64_t begin_ns = clock_thread_ns(), filled_ns;
	void *item;

	for (uint32_t i = 0; i < ITEMS; i++)
		ensure(queue_push(times->queue, times, DEADLINE_NEVER, WAIT_PARK) == STATUS_OK,
			"queue full");
	filled_ns = clock_thread_ns();
	for (uint32_t i = 0; i < ITEMS; i++)
		ensure(queue_pop(times->queue, &item, DEADLINE_NEVER, WAIT_PARK) == STATUS_OK,
			"queue empty");
	times->push_ns += filled_ns - begin_ns;
	times->pop_ns += clock_thread_ns() - filled_ns;
	times->rounds++;
}

static void queues_run(struct probing *probing)
{
	const struct pace *pace = probing->pace;
	struct times times = {.queue = queue_new("measured", ITEMS)};
	struct samples push = {0}, pop = {0};

	for (uint32_t round = 0; round < 2 + pace->rounds; round++) {
		int64_t until_ns = clock_now_ns() + pace->round_ns;

		times.push_ns = times.pop_ns = 0;
		times.rounds = 0;
		while (times.rounds == 0 || clock_now_ns() < until_ns)
			fill_and_drain(&times);
		if (round < 2)
			continue;
		samples_add(&push, (double)times.push_ns / times.rounds / ITEMS);
		samples_add(&pop, (double)times.pop_ns / times.rounds / ITEMS);
	}
	queue_free(times.queue);
	probe_median(probing, "host.work.queue_push.cost", "ps", 1e3, &push,
		"64 pushes at a time, no thread waits, CPU time a push");
	probe_median(probing, "host.work.queue_pop.cost", "ps", 1e3, &pop,
		"64 pops at a time, no thread waits, CPU time a pop");
	samples_fini(&push);
	samples_fini(&pop);
}

const struct probe probe_queues = {
	"queues", "a task put into a queue, and taken from it", queues_run};
