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

int64_t host_cpu_ps(void)
{
	int64_t open_ps = sim_hosts.on_cpu * engine_now() - sim_hosts.on_cpu_since_ps;
	int64_t pending_ps = host_thread_paid_at_ps() - engine_now();

	return sim_hosts.cpu_ps + open_ps + pending_ps;
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
