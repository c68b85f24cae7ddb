/* Host threads, each of which is an actor: spawning, binding to cores, joining and sleeping. */
#include "host_private.h"

#include "base/ensure.h"

/* The code that the actor of a host thread runs. The engine runs a new actor at once, but the
 * thread may not have a core yet. So the actor first waits until the thread gets one. */
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
	host_thread_charge(self->host->constants->spawn_ps, CHARGE_SPAWN);
	host_thread_settle();
	struct thread *thread = thread_new(name, affinity, fn, argument);
	thread->actor = actor_start(thread->name, thread->host->name, thread_main, thread);
	actor_set_data(thread->actor, thread);
	cpu_unpark(thread, false);
	return thread;
}

enum status sim_bind(int16_t core)
{
	struct thread *self = thread_caller("bind");
	ensure(core < (int)sim_core_count(self->server), "thread '%s' bound to core %d of %u",
		self->name, core, sim_core_count(self->server));
	core = thread_core(self, core);
	host_thread_settle();
	cpu_pin(self, core);
	if (core >= 0 && self->core->index != core) {
		cpu_park(self);
		cpu_unpark(self, false);
		actor_block("the core that it is bound to");
	}
	return STATUS_OK;
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
	struct thread *self = thread_caller("sleep_until");
	struct host_waiter nobody = {0};
	host_thread_settle();
	self->sleeps = true;
	host_thread_wait(&nobody, deadline_ns, WAIT_PARK, "its time to wake up");
	self->sleeps = false;
}
