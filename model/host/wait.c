/* Waiting (host/thread.h). A waiting thread spins, parks, or spins first and then parks, until it
 * is woken or its deadline passes. Each thread has at most one pending alarm of each kind, even if
 * it waits many times. */
#include "host_private.h"

#include <stddef.h>
#include <string.h>

#include "base/ensure.h"

/* Sets an alarm that calls `run` for the thread at `at_ps`. *pending_ps is the time of the alarm
 * that was set before. If the earlier alarm is not later than `at_ps`, sets no second alarm: the
 * earlier alarm calls `run`, and `run` then sets the next alarm. */
static void set_alarm(struct thread *thread, int64_t *pending_ps, int64_t at_ps, engine_run *run)
{
	if (at_ps >= *pending_ps)
		return;
	*pending_ps = at_ps;
	sim_hosts.patience.alarms++;
	host_push(at_ps, run, thread, (uint64_t)at_ps);
}

/* Returns a static text for `what`, since causes keep it (cause/cause.h). */
static const char *kept(const char *what)
{
	if (strncmp(what, "entry to", strlen("entry to")) == 0)
		return "entry to a monitor";
	return strncmp(what, "room", strlen("room")) == 0 ? "room in an issue queue" : "a thread";
}

static void waits(struct thread *thread, const char *what)
{
	cause_release(thread->cause);
	thread->cause = cause_now();
	thread->waits_for = kept(what);
	thread->resumes.ps = 0;
}

/* Creates the cause with which a thread continues after a wait. If another thread or an event woke
 * the thread, the new cause depends on the thread's own cause and on the cause of the waker, which
 * is the current cause. If the deadline ended the wait, the new cause depends only on the thread's
 * own cause. */
static void waited(struct thread *thread, enum status outcome)
{
	cause_id own = thread->cause;
	cause_id before = cause_enter(outcome == STATUS_OK ? causes.current : own);

	thread->cause = cause_join(own, engine_now(), thread->waits_for, CHARGE_WAIT_THREAD);
	cause_enter(before);
	cause_release(own);
}

static void end_wait(struct thread *thread, enum status outcome, int64_t delay_ps)
{
	if (outcome == STATUS_OK)
		thread->slept_from_ps = NEVER_PS;
	waited(thread, outcome);
	thread->waiter->thread = NULL;
	thread->waiter = NULL;
	thread->outcome = outcome;
	thread->woken = true;
	if (thread->place == PLACE_PARKED) {
		cpu_unpark(thread, false);
	} else if (thread->phase == PHASE_STALL) {
		cpu_start_code(thread);
	} else {
		thread->counted.wakes[HOST_WAKE_SPIN]++;
		cpu_spinner_ready(thread, delay_ps);
	}
}

static void on_deadline(void *subject, uint64_t at_ps)
{
	struct thread *thread = subject;
	sim_hosts.patience.alarms--;
	if ((int64_t)at_ps != thread->deadline_alarm_ps)
		return;
	thread->deadline_alarm_ps = NEVER_PS;
	if (!thread->waiter)
		return;
	if (engine_now() < thread->deadline_ps)
		set_alarm(thread, &thread->deadline_alarm_ps, thread->deadline_ps, on_deadline);
	else if (patience_is_over(thread))
		engine_stall();
	else
		end_wait(thread, STATUS_TIMEOUT, 0);
}

static void on_spun(void *subject, uint64_t at_ps)
{
	struct thread *thread = subject;
	sim_hosts.patience.alarms--;
	if ((int64_t)at_ps != thread->spin_alarm_ps)
		return;
	thread->spin_alarm_ps = NEVER_PS;
	if (!thread->waiter || thread->mode != WAIT_SPIN_THEN_PARK)
		return;
	if (engine_now() < thread->spin_until_ps) {
		set_alarm(thread, &thread->spin_alarm_ps, thread->spin_until_ps, on_spun);
		return;
	}
	thread->mode = WAIT_PARK;
	cpu_park(thread);
}

/* Says whether the thread offers its core to others while it spins. */
static void set_yields(struct thread *thread, bool yields)
{
	thread->yields = yields;
	if (yields)
		thread->host->yield_count++;
	else
		thread->host->yield_count--;
}

static int64_t deadline_ps_of(int64_t deadline_ns)
{
	return deadline_ns >= NEVER_PS / 1000 ? NEVER_PS : deadline_ns * 1000;
}

enum status host_thread_wait(
	struct host_waiter *waiter, int64_t deadline_ns, enum wait_mode mode, const char *what)
{
	struct thread *self = thread_caller("host_thread_wait");
	const struct host_constants *constants = self->host->constants;
	ensure(account_pending_ps(self) == 0, "%s waits for %s with %lld ps to pay", self->name,
		what, (long long)account_pending_ps(self));
	self->deadline_ps = deadline_ps_of(deadline_ns);
	if (self->deadline_ps <= engine_now())
		return STATUS_TIMEOUT;
	waits(self, what);
	waiter->thread = self;
	self->waiter = waiter;
	self->mode = mode;
	self->woken = false;
	self->slept_from_ps = engine_now();
	self->spin_until_ps = engine_now() + constants->spin_ps;
	set_alarm(self, &self->deadline_alarm_ps, self->deadline_ps, on_deadline);
	if (mode == WAIT_SPIN_THEN_PARK)
		set_alarm(self, &self->spin_alarm_ps, self->spin_until_ps, on_spun);
	if (mode == WAIT_YIELD)
		set_yields(self, true);
	if (mode == WAIT_PARK)
		cpu_park(self);
	else
		cpu_wait_on_core(self, PHASE_SPIN);
	actor_block(what);
	if (mode == WAIT_YIELD)
		set_yields(self, false);
	return self->outcome;
}

enum status host_thread_poll(
	struct host_waiter *waiter, int64_t deadline_ns, const char *what, bool *switched)
{
	struct thread *self = thread_caller("host_thread_poll");
	uint64_t before = self->counted.switches;
	enum status status;

	set_yields(self, true);
	status = host_thread_wait(waiter, deadline_ns, WAIT_SPIN, what);
	set_yields(self, false);
	*switched = self->counted.switches != before;
	return status;
}

void host_thread_stall(struct host_waiter *waiter, const char *what)
{
	struct thread *self = thread_caller("host_thread_stall");
	ensure(account_pending_ps(self) == 0, "%s stalls on %s with %lld ps to pay", self->name,
		what, (long long)account_pending_ps(self));
	waits(self, what);
	waiter->thread = self;
	self->waiter = waiter;
	self->mode = WAIT_SPIN;
	self->deadline_ps = NEVER_PS;
	cpu_wait_on_core(self, PHASE_STALL);
	actor_block(what);
}

/* Returns the time until a waiting thread polls again. In mode WAIT_YIELD, the thread yields its
 * core again and again, and polls after each system call that yields. Such a call takes
 * yield_ps. */
static int64_t until_look_ps(const struct thread *thread)
{
	int64_t yield_ps = thread->host->constants->yield_ps;
	int64_t spun_ps = engine_now() - thread->slept_from_ps;

	if (thread->mode != WAIT_YIELD || yield_ps == 0)
		return 0;
	return (yield_ps - spun_ps % yield_ps) % yield_ps;
}

bool wait_wake(struct host_waiter *waiter)
{
	struct thread *thread = waiter->thread;
	if (!thread)
		return false;
	patience_restart();
	thread->look_ps = until_look_ps(thread);
	end_wait(thread, STATUS_OK, thread->host->constants->spin_see_ps + thread->look_ps);
	return true;
}

static void charge_for_wake(struct thread *woken)
{
	struct thread *self = thread_self();
	if (!self || woken->place != PLACE_PARKED)
		return;
	if (cpu_is_free_for(woken))
		account_add(self, CHARGE_WAKE_CALL, self->host->constants->wake_call_ps);
	else
		account_add(self, CHARGE_WAKE_QUEUED, self->host->constants->wake_queued_ps);
}

bool host_thread_wake(struct host_waiter *waiter)
{
	if (!waiter->thread)
		return false;
	charge_for_wake(waiter->thread);
	return wait_wake(waiter);
}

void wait_commit(struct host_waiter *waiter)
{
	struct thread *thread = waiter->thread;
	charge_for_wake(thread);
	thread->deadline_ps = NEVER_PS;
	if (thread->mode == WAIT_SPIN_THEN_PARK)
		thread->mode = WAIT_SPIN;
}

void host_thread_found(cause_id cause)
{
	struct thread *self = thread_caller("host_thread_found");
	cause_id own = causes.current;

	if (!causes.on || cause == CAUSE_NONE)
		return;
	if (causes.at[cause].at_ps >= self->slept_from_ps) {
		cause_enter(cause_hold(cause));
		cause_clear();
		cause_rest(CHARGE_WAIT_LOOK);
		cause_release(cause_enter(cause_take(engine_now())));
		cause_release(own);
	} else if (causes.at[own].operation < causes.at[cause].operation) {
		cause_mark(causes.at[cause].operation);
	}
	self->slept_from_ps = NEVER_PS;
}
