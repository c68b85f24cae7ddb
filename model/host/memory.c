/* The memory channels of a socket. All copies that run on the cores of the socket share the
 * bandwidth of the channels with max-min fairness: a copy that demands less than an equal share
 * gets what it demands, and the other copies share the remaining bandwidth equally. All arithmetic
 * is in integers. A copy that runs alone takes exactly its own time. Two copies that each demand
 * the full bandwidth take exactly twice as long as one of them alone. */
#include "host_private.h"

#include <stddef.h>

#include "base/ensure.h"

static void memory_advance(struct memory *memory)
{
	uint64_t elapsed_ps = (uint64_t)(engine_now() - memory->updated_ps);
	for (struct flow *flow = memory->first; flow; flow = flow->next) {
		unsigned __int128 moved = (unsigned __int128)flow->rate_bytes_per_s * elapsed_ps;
		flow->left = moved < flow->left ? flow->left - moved : 0;
	}
	memory->updated_ps = engine_now();
}

/* Divides the bandwidth among the flows. A flow that demands at most an equal share of the
 * bandwidth gets what it demands. The rest of the bandwidth is divided among the other flows in the
 * same way, until all of them demand more than their share. Each then gets its share. */
static void share(struct memory *memory)
{
	uint64_t left = memory->bandwidth_bytes_per_s;
	uint32_t hungry = 0;
	for (struct flow *flow = memory->first; flow; flow = flow->next) {
		flow->rate_bytes_per_s = 0;
		hungry++;
	}
	for (bool changed = true; changed && hungry > 0;) {
		uint64_t equal = left / hungry;
		changed = false;
		for (struct flow *flow = memory->first; flow; flow = flow->next) {
			if (flow->rate_bytes_per_s || flow->demand_bytes_per_s > equal)
				continue;
			flow->rate_bytes_per_s = flow->demand_bytes_per_s;
			left -= flow->demand_bytes_per_s;
			hungry--;
			changed = true;
		}
	}
	for (struct flow *flow = memory->first; flow; flow = flow->next)
		if (!flow->rate_bytes_per_s)
			flow->rate_bytes_per_s = left >= hungry ? left / hungry : 1;
}

static void complete(void *subject, uint64_t event);

static void schedule(struct memory *memory)
{
	int64_t first_ps = NEVER_PS;
	share(memory);
	for (struct flow *flow = memory->first; flow; flow = flow->next) {
		int64_t takes_ps = (int64_t)((flow->left + flow->rate_bytes_per_s - 1) /
					     flow->rate_bytes_per_s);
		if (takes_ps < first_ps)
			first_ps = takes_ps;
	}
	memory->event++;
	if (first_ps != NEVER_PS)
		host_push(engine_now() + first_ps, complete, memory, memory->event);
}

static void complete(void *subject, uint64_t event)
{
	struct memory *memory = subject;
	if (event != memory->event)
		return;
	memory_advance(memory);
	struct flow *done = NULL, **last = &done;
	for (struct flow **link = &memory->first; *link;) {
		struct flow *flow = *link;
		if (flow->left > 0) {
			link = &flow->next;
			continue;
		}
		*link = flow->next;
		flow->next = NULL;
		*last = flow;
		last = &flow->next;
	}
	schedule(memory);
	while (done) {
		struct flow *flow = done;
		done = flow->next;
		flow->thread->counted.copying_ps += engine_now() - flow->since_ps;
		flow->done(flow->thread);
	}
}

void memory_start(struct memory *memory, struct flow *flow, void (*done)(struct thread *thread))
{
	ensure(flow->demand_bytes_per_s > 0, "a flow of %s that wants nothing", flow->thread->name);
	memory_advance(memory);
	struct flow **link = &memory->first;
	while (*link)
		link = &(*link)->next;
	*link = flow;
	flow->next = NULL;
	flow->done = done;
	flow->rate_bytes_per_s = 0;
	flow->since_ps = engine_now();
	schedule(memory);
}

void memory_stop(struct memory *memory, struct flow *flow)
{
	memory_advance(memory);
	struct flow **link = &memory->first;
	while (*link != flow)
		link = &(*link)->next;
	*link = flow->next;
	flow->thread->counted.copying_ps += engine_now() - flow->since_ps;
	schedule(memory);
}
