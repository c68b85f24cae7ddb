/* Monitors of the native world. A monitor is a mutex and a queue of waiters. Each waiter has a
 * separate condition variable, so that notify_one can wake the waiter that has waited longest.
 * Monitors are not recursive. */
#include "native_wait.h"

#include "base/allocate.h"
#include "base/chain.h"
#include "base/ensure.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A waiting thread. The struct lies on this thread's stack, and the thread stops waiting only while
 * it holds the mutex. So every thread that holds the mutex may use the struct. */
struct waiter {
	struct waiter *next;
	pthread_cond_t cond;
	bool notified; /* atomic, because a spinning thread reads it without the mutex */
};

struct monitor {
	pthread_mutex_t mutex;
	struct waiter *first, *last;
	char *name;
};

struct monitor *native_monitor_new(const char *name)
{
	struct monitor *monitor = allocate(1, sizeof *monitor);

	monitor->name = allocate_text(name);
	pthread_mutex_init(&monitor->mutex, NULL);
	return monitor;
}

void native_monitor_free(struct monitor *monitor)
{
	if (monitor == NULL)
		return;
	ensure(monitor->first == NULL, "monitor '%s' freed while a thread waits", monitor->name);
	pthread_mutex_destroy(&monitor->mutex);
	free(monitor->name);
	free(monitor);
}

void native_monitor_enter(struct monitor *monitor)
{
	pthread_mutex_lock(&monitor->mutex);
}

void native_monitor_exit(struct monitor *monitor)
{
	pthread_mutex_unlock(&monitor->mutex);
}

static void waiter_remove(struct monitor *monitor, struct waiter *waiter)
{
	struct waiter *before = NULL;

	for (struct waiter *each = monitor->first; each != waiter; each = each->next)
		before = each;
	if (before == NULL)
		monitor->first = waiter->next;
	else
		before->next = waiter->next;
	if (monitor->last == waiter)
		monitor->last = before;
}

static bool waiter_notified(struct waiter *waiter)
{
	return __atomic_load_n(&waiter->notified, __ATOMIC_ACQUIRE);
}

/* Leaves the monitor, spins at most until the deadline, and enters the monitor again. */
static void waiter_spin(
	struct monitor *monitor, struct waiter *waiter, int64_t deadline_ns, enum wait_mode mode)
{
	native_monitor_exit(monitor);
	for (uint32_t looks = 0; !waiter_notified(waiter); looks++) {
		if (native_now_ns() >= deadline_ns)
			break;
		native_spin_pause(mode, looks);
	}
	native_monitor_enter(monitor);
}

enum status native_monitor_wait_until(
	struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode)
{
	struct waiter self = {.notified = false};
	int64_t spin_until_ns = deadline_ns;
	int64_t now_ns = native_now_ns();

	if (now_ns >= deadline_ns)
		return STATUS_TIMEOUT;
	if (mode == WAIT_SPIN_THEN_PARK && deadline_ns - now_ns > native_spin_ns())
		spin_until_ns = now_ns + native_spin_ns();
	native_cond_init(&self.cond);
	CHAIN_APPEND(monitor->first, monitor->last, &self, next);
	if (mode != WAIT_PARK)
		waiter_spin(monitor, &self, spin_until_ns, mode);
	while (!waiter_notified(&self) && native_now_ns() < deadline_ns)
		native_cond_wait(&self.cond, &monitor->mutex, deadline_ns);
	if (!waiter_notified(&self))
		waiter_remove(monitor, &self);
	pthread_cond_destroy(&self.cond);
	return self.notified ? STATUS_OK : STATUS_TIMEOUT;
}

void native_monitor_notify_one(struct monitor *monitor)
{
	struct waiter *waiter = monitor->first;

	if (waiter == NULL)
		return;
	monitor->first = waiter->next;
	if (monitor->first == NULL)
		monitor->last = NULL;
	__atomic_store_n(&waiter->notified, true, __ATOMIC_RELEASE);
	pthread_cond_signal(&waiter->cond);
}

void native_monitor_notify_all(struct monitor *monitor)
{
	while (monitor->first != NULL)
		native_monitor_notify_one(monitor);
}
