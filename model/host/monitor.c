/* Monitors: mutual exclusion and waiting. The code of a thread can leave a monitor before the
 * simulated time for its work inside has passed, but the monitor becomes free only when this time
 * has passed. So the work of several threads inside a monitor never overlaps in time. This needs
 * additional events only if another thread wants to enter. A notified thread is woken when the
 * monitor becomes free, and enters it again. */
#include "host_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/chain.h"
#include "base/ensure.h"

struct waiter_list {
	struct host_waiter *first, *last;
};

struct monitor {
	char name[THREAD_NAME_BYTES];
	char entry[THREAD_NAME_BYTES + 12];
	struct thread *owner;
	int64_t free_ps;	     /* time at which the work inside the monitor is done */
	struct waiter_list waiting;  /* threads that wait for a notify */
	struct waiter_list notified; /* threads that are woken at free_ps */
	struct waiter_list entering;
	bool release_pending; /* on_release() is on the heap */
	bool dead;
	cause_id cause; /* cause of the end of the work inside; owns a reference */
};

static void append(struct waiter_list *list, struct host_waiter *waiter)
{
	CHAIN_APPEND(list->first, list->last, waiter, next);
}

static struct host_waiter *take_first(struct waiter_list *list)
{
	struct host_waiter *waiter = list->first;
	if (waiter) {
		list->first = waiter->next;
		if (!list->first)
			list->last = NULL;
	}
	return waiter;
}

static void monitor_take_out(struct waiter_list *list, const struct host_waiter *waiter)
{
	struct waiter_list kept = {0};
	for (struct host_waiter *w; (w = take_first(list));)
		if (w != waiter)
			append(&kept, w);
	*list = kept;
}

static void on_release(void *subject, uint64_t unused);

static void monitor_end(struct monitor *monitor)
{
	cause_release(monitor->cause);
	free(monitor);
}

static void release_later(struct monitor *monitor)
{
	if (monitor->release_pending)
		return;
	monitor->release_pending = true;
	host_push(monitor->free_ps, on_release, monitor, 0);
}

/* Wakes all notified threads, and the first of the threads that want to enter. */
static void release_now(struct monitor *monitor)
{
	cause_id before = cause_enter(monitor->cause);
	for (struct host_waiter *waiter; (waiter = take_first(&monitor->notified));)
		wait_wake(waiter);
	struct host_waiter *next = take_first(&monitor->entering);
	if (next)
		wait_wake(next);
	cause_enter(before);
}

static void on_release(void *subject, uint64_t unused)
{
	struct monitor *monitor = subject;
	(void)unused;
	monitor->release_pending = false;
	if (monitor->dead)
		monitor_end(monitor);
	else if (monitor->owner)
		return; /* a thread is inside, and releases the monitor when it leaves */
	else if (engine_now() < monitor->free_ps)
		release_later(monitor);
	else
		release_now(monitor);
}

static void acquire(struct monitor *monitor, struct thread *self)
{
	while (monitor->owner || engine_now() < monitor->free_ps) {
		struct host_waiter waiter = {0};
		if (!monitor->owner)
			release_later(monitor);
		append(&monitor->entering, &waiter);
		host_thread_wait(&waiter, DEADLINE_NEVER, WAIT_SPIN_THEN_PARK, monitor->entry);
	}
	monitor->owner = self;
}

static void monitor_leave(struct monitor *monitor, int64_t inside_ps)
{
	account_close(monitor->owner);
	cause_release(monitor->cause);
	monitor->cause = cause_now();
	monitor->owner = NULL;
	monitor->free_ps = engine_now() + inside_ps;
	if (!monitor->notified.first && !monitor->entering.first)
		return;
	if (inside_ps > 0)
		release_later(monitor);
	else
		release_now(monitor);
}

static struct thread *owner(struct monitor *monitor, const char *call)
{
	struct thread *self = thread_caller(call);
	ensure(monitor->owner == self, "%s of '%s' by %s, owner %s", call, monitor->name,
		self->name, monitor->owner ? monitor->owner->name : "no thread");
	return self;
}

struct monitor *sim_monitor_new(const char *name)
{
	struct monitor *monitor = allocate(1, sizeof(*monitor));
	snprintf(monitor->name, sizeof(monitor->name), "%s", name);
	snprintf(monitor->entry, sizeof(monitor->entry), "entry to %s", monitor->name);
	return monitor;
}

void sim_monitor_free(struct monitor *monitor)
{
	if (!monitor)
		return;
	ensure(!monitor->owner && !monitor->waiting.first && !monitor->entering.first,
		"monitor '%s' is in use", monitor->name);
	if (monitor->release_pending)
		monitor->dead = true;
	else
		monitor_end(monitor);
}

void sim_monitor_enter(struct monitor *monitor)
{
	struct thread *self = thread_caller("monitor_enter");
	ensure(monitor->owner != self, "monitor '%s' is entered twice by %s", monitor->name,
		self->name);
	host_thread_settle();
	acquire(monitor, self);
}

void sim_monitor_exit(struct monitor *monitor)
{
	monitor_leave(monitor, account_pending_ps(owner(monitor, "monitor_exit")));
}

enum status sim_monitor_wait_until(
	struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode)
{
	struct host_waiter waiter = {0};
	struct thread *self = owner(monitor, "monitor_wait_until");
	host_thread_settle();
	if (deadline_ns <= sim_now_ns())
		return STATUS_TIMEOUT;
	append(&monitor->waiting, &waiter);
	monitor_leave(monitor, 0);
	enum status status = host_thread_wait(&waiter, deadline_ns, mode, monitor->name);
	if (status == STATUS_TIMEOUT)
		monitor_take_out(&monitor->waiting, &waiter);
	acquire(monitor, self);
	return status;
}

static bool notify(struct monitor *monitor)
{
	struct host_waiter *waiter;
	do
		waiter = take_first(&monitor->waiting);
	while (waiter && !waiter->thread); /* skip threads whose wait timed out */
	if (!waiter)
		return false;
	wait_commit(waiter);
	append(&monitor->notified, waiter);
	return true;
}

void sim_monitor_notify_one(struct monitor *monitor)
{
	owner(monitor, "monitor_notify_one");
	notify(monitor);
}

void sim_monitor_notify_all(struct monitor *monitor)
{
	owner(monitor, "monitor_notify_all");
	while (notify(monitor))
		continue;
}
