/* Hosts, the records of their threads, and the pointer to the running thread. The record of a
 * thread is kept until the world stops, because the results of the run are computed from it. */
#include "host_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct sim_hosts sim_hosts;

/* Every actor of the engine that carries data is a host thread. */
struct thread *thread_self(void)
{
	struct actor *actor = actor_self();
	return actor ? actor_data(actor) : NULL;
}

struct thread *thread_caller(const char *call)
{
	struct thread *self = thread_self();
	ensure(self, "%s is for host threads", call);
	return self;
}

uint16_t host_thread_host(void)
{
	return thread_caller("host_thread_host")->server;
}

uint16_t sim_core_count(uint16_t host)
{
	return sim_hosts.bound[host] < 0 ? sim_hosts.machines[host]->core_count : 1;
}

uint16_t sim_core_socket(uint16_t host, uint16_t core)
{
	int16_t bound = sim_hosts.bound[host];

	return sim_hosts.machines[host]->cores[bound < 0 ? core : bound].socket;
}

static void remember(struct thread *thread)
{
	if (sim_hosts.thread_count == sim_hosts.thread_capacity) {
		sim_hosts.thread_capacity =
			sim_hosts.thread_capacity ? 2 * sim_hosts.thread_capacity : 64;
		sim_hosts.threads = allocate_more(
			sim_hosts.threads, sim_hosts.thread_capacity, sizeof(*sim_hosts.threads));
	}
	thread->index = sim_hosts.thread_count;
	sim_hosts.threads[sim_hosts.thread_count++] = thread;
}

int16_t thread_core(const struct thread *thread, int16_t core)
{
	int16_t bound = sim_hosts.bound[thread->server];

	return bound < 0 ? core : bound;
}

struct thread *thread_new(
	const char *name, struct affinity affinity, void (*run)(void *argument), void *argument)
{
	char role[THREAD_NAME_BYTES + 16];
	ensure(affinity.host < sim_hosts.count, "thread '%s' on host %u of %u", name, affinity.host,
		sim_hosts.count);
	struct host *host = sim_hosts.machines[affinity.host];
	ensure(affinity.core < (int)sim_core_count(affinity.host), "thread '%s' on core %d of %u",
		name, affinity.core, sim_core_count(affinity.host));
	struct thread *thread = allocate(1, sizeof(*thread));
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	if (affinity.host > 0) /* threads with one name on two hosts must have different noise */
		snprintf(role, sizeof(role), "host %u/%s", affinity.host, thread->name);
	else
		snprintf(role, sizeof(role), "host/%s", thread->name);
	stream_init(&thread->stream, sim_hosts.seed, role);
	thread->host = host;
	thread->server = affinity.host;
	thread->pinned = thread_core(thread, affinity.core);
	thread->run = run;
	thread->argument = argument;
	thread->flow.thread = thread;
	thread->deadline_alarm_ps = thread->spin_alarm_ps = thread->slept_from_ps = NEVER_PS;
	thread->family = thread_self() ? thread_self()->family : 0;
	thread->bucket = BUCKET_PARKED;
	thread->bucket_since_ps = engine_now();
	thread->track = watch_track(WATCH_THREAD, -1, "%s", name);
	thread->counted.started_ps = engine_now();
	thread->counted.ended_ps = -1;
	remember(thread);
	return thread;
}
