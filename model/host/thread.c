/* Host threads: an actor each, started, joined, put to sleep. The records stay until the world
 * stops, for the results. Refuses to join twice. */
#include "host_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

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

static void remember(struct thread *thread)
{
	if (sim_hosts.thread_count == sim_hosts.thread_capacity) {
		sim_hosts.thread_capacity =
			sim_hosts.thread_capacity ? 2 * sim_hosts.thread_capacity : 64;
		sim_hosts.threads = realloc(
			sim_hosts.threads, sim_hosts.thread_capacity * sizeof(*sim_hosts.threads));
		ensure(sim_hosts.threads, "no memory for %u threads", sim_hosts.thread_capacity);
	}
	thread->index = sim_hosts.thread_count;
	sim_hosts.threads[sim_hosts.thread_count++] = thread;
}

struct thread *thread_new(
	const char *name, struct affinity affinity, void (*run)(void *argument), void *argument)
{
	char role[THREAD_NAME_BYTES + 8];
	ensure(affinity.host < sim_hosts.count, "thread '%s' on host %u of %u", name, affinity.host,
		sim_hosts.count);
	struct host *host = &sim_hosts.hosts[affinity.host];
	ensure(affinity.core < (int)host->core_count, "thread '%s' on core %d of %u", name,
		affinity.core, host->core_count);
	struct thread *thread = calloc(1, sizeof(*thread));
	ensure(thread, "no memory for thread '%s'", name);
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	snprintf(role, sizeof(role), "host/%s", thread->name);
	stream_init(&thread->stream, sim_hosts.seed, role);
	thread->host = host;
	thread->pinned = affinity.core;
	thread->run = run;
	thread->argument = argument;
	thread->flow.thread = thread;
	thread->deadline_alarm_ps = thread->spin_alarm_ps = NEVER_PS;
	thread->bucket = BUCKET_PARKED;
	thread->bucket_since_ps = engine_now();
	thread->counted.started_ps = engine_now();
	thread->counted.ended_ps = -1;
	remember(thread);
	return thread;
}

/* An actor of its own runs as soon as it is started, a host thread when it has a core. */
static void run_thread(struct thread *self)
{
	actor_block("a core to start on");
	self->run(self->argument);
	host_thread_settle();
	self->ended = true;
	cpu_park(self);
	self->counted.ended_ps = engine_now();
	if (self->joiner)
		wait_wake(self->joiner);
}

static void thread_main(void *thread)
{
	run_thread(thread);
}

void thread_main_of_all(void *thread)
{
	struct thread *self = thread;
	self->actor = actor_self();
	actor_set_data(self->actor, self);
	cpu_unpark(self, true);
	run_thread(self);
}

int64_t sim_now_ns(void)
{
	return engine_now() / 1000;
}

struct thread *sim_spawn(
	const char *name, struct affinity affinity, void (*fn)(void *argument), void *argument)
{
	struct thread *self = thread_caller("spawn");
	host_thread_charge(self->host->constants->spawn_ps);
	host_thread_settle();
	struct thread *thread = thread_new(name, affinity, fn, argument);
	thread->actor = actor_start(thread->name, thread->host->name, thread_main, thread);
	actor_set_data(thread->actor, thread);
	cpu_unpark(thread, false);
	return thread;
}

void sim_join(struct thread *thread)
{
	struct host_waiter waiter = {0};
	ensure(!thread->joined, "thread '%s' is joined twice", thread->name);
	thread->joined = true;
	host_thread_settle();
	if (thread->ended)
		return;
	thread->joiner = &waiter;
	host_thread_wait(&waiter, DEADLINE_NEVER, WAIT_PARK, thread->name);
}

void sim_sleep_until(int64_t deadline_ns)
{
	struct host_waiter nobody = {0};
	host_thread_settle();
	host_thread_wait(&nobody, deadline_ns, WAIT_PARK, "its time to wake up");
}
