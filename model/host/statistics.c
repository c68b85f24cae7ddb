/* Copies the counters of the host model into the structs of host/statistics.h. */
#include "host/statistics.h"

#include <stdlib.h>

#include "base/ensure.h"
#include "host_private.h"

/* The thread's time in a bucket up to now, including the interval that has not ended yet. */
static int64_t spent_ps(const struct thread *thread, enum bucket bucket)
{
	int64_t open_ps = 0;
	if (thread->bucket == bucket && !thread->ended)
		open_ps = engine_now() - thread->bucket_since_ps;
	return thread->spent_ps[bucket] + open_ps;
}

static int64_t family_cpu_ps(uint32_t family)
{
	const struct family_cpu *cpu = &sim_hosts.families[family];
	const struct thread *self = thread_self();
	bool pays = self ? self->family == family : family == 0;
	int64_t pending_ps = pays ? host_thread_paid_at_ps() - engine_now() : 0;

	return cpu->cpu_ps + cpu->on_cpu * engine_now() - cpu->on_cpu_since_ps + pending_ps;
}

int64_t host_cpu_ps(void)
{
	int64_t sum_ps = 0;

	for (uint32_t i = 0; i <= sim_hosts.last_family; i++)
		sum_ps += family_cpu_ps(i);
	return sum_ps;
}

int64_t host_cpu_of_others_ps(uint32_t family)
{
	int64_t sum_ps = 0;

	for (uint32_t i = 1; i <= sim_hosts.last_family; i++)
		sum_ps += i == family ? 0 : family_cpu_ps(i);
	return sum_ps;
}

static void family_add(uint32_t family, int64_t threads, int64_t since_ps)
{
	sim_hosts.families[family].on_cpu += threads;
	sim_hosts.families[family].on_cpu_since_ps += threads * since_ps;
}

void host_family_enter(uint32_t family)
{
	struct thread *self = thread_caller("host_family_enter");

	ensure(family < HOST_FAMILIES_MAX, "family %u", family);
	if (self->bucket < BUCKET_WAITING) {
		family_add(self->family, -1, self->bucket_since_ps);
		family_add(family, 1, self->bucket_since_ps);
	}
	self->family = family;
	if (family > sim_hosts.last_family)
		sim_hosts.last_family = family;
}

uint32_t host_thread_count(void)
{
	return sim_hosts.thread_count;
}

void host_thread_statistics(uint32_t index, struct host_thread_statistics *statistics)
{
	ensure(index < sim_hosts.thread_count, "thread %u of %u", index, sim_hosts.thread_count);
	const struct thread *thread = sim_hosts.threads[index];
	*statistics = thread->counted;
	statistics->name = thread->name;
	statistics->host = thread->server;
	statistics->busy_ps = spent_ps(thread, BUCKET_BUSY);
	statistics->spinning_ps = spent_ps(thread, BUCKET_SPINNING);
	statistics->switching_ps = spent_ps(thread, BUCKET_SWITCHING);
	statistics->waiting_ps = spent_ps(thread, BUCKET_WAITING);
	statistics->parked_ps = spent_ps(thread, BUCKET_PARKED);
}

uint32_t host_core_count(void)
{
	uint32_t count = 0;
	for (uint16_t h = 0; h < sim_hosts.count; h++)
		count += sim_hosts.hosts[h].core_count;
	return count;
}

static const struct core *core_at(uint32_t index)
{
	for (uint16_t h = 0; h < sim_hosts.count; h++) {
		if (index < sim_hosts.hosts[h].core_count)
			return &sim_hosts.hosts[h].cores[index];
		index -= sim_hosts.hosts[h].core_count;
	}
	return NULL;
}

/* The core's time in a bucket up to now, including the interval that has not ended yet. */
static int64_t core_spent_ps(const struct core *core, enum bucket bucket)
{
	const struct thread *thread = core->thread;
	int64_t open_ps = 0;
	if (thread && thread->bucket == bucket)
		open_ps = engine_now() - thread->bucket_since_ps;
	return core->spent_ps[bucket] + open_ps;
}

void host_core_statistics(uint32_t index, struct host_core_statistics *statistics)
{
	const struct core *core = core_at(index);
	ensure(core, "core %u of %u", index, host_core_count());
	*statistics = (struct host_core_statistics){
		.host = core->host->index,
		.core = core->index,
		.socket = core->socket,
		.busy_ps = core_spent_ps(core, BUCKET_BUSY),
		.spinning_ps = core_spent_ps(core, BUCKET_SPINNING),
		.switching_ps = core_spent_ps(core, BUCKET_SWITCHING),
		.switches = core->switches,
	};
}
