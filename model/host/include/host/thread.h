/* Functions that block a host thread until something in memory changes. They charge the thread the
 * CPU costs of spinning, parking and wake-ups. The simulated device and the monitors use these
 * functions. Only one host thread or event runs at a time, without preemption. So no wake can be
 * lost between the check of a condition and the wait for it. */
#ifndef HOST_THREAD_H
#define HOST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cause/cause.h"
#include "world/world.h"

/* One wait of one host thread. The waiting thread owns this object, usually on its stack, sets it
 * to zero, and links it by `next` into a list. The waker finds the object in this list. */
struct host_waiter {
	struct thread *thread; /* the waiting thread; NULL: none, or already woken */
	struct host_waiter *next;
};

/* Blocks the calling host thread until host_thread_wake(waiter) is called, or until the absolute
 * time `deadline_ns` (DEADLINE_NEVER: no limit). Before the call, the thread must settle its
 * account and then check the condition for which it waits; the function aborts if the account is
 * not settled. WAIT_SPIN keeps the core, and continues spin_see_ps after the wake. WAIT_PARK
 * releases the core, and continues after the time of a wake-up. WAIT_SPIN_THEN_PARK spins for
 * spin_ps, then parks. WAIT_YIELD spins, but looks only every yield_ps, and lets any thread that is
 * ready have its core before a look. `what` says what the thread waits for; stall reports print
 * this text, so it must stay valid until the function returns. Returns OK or TIMEOUT. */
enum status host_thread_wait(
	struct host_waiter *waiter, int64_t deadline_ns, enum wait_mode mode, const char *what);

/* Ends the wait at engine_now(), and returns true. If no thread waits, or if the thread was woken
 * already, does nothing and returns false. Events and host threads may call this function; it never
 * blocks. If the woken thread is parked and the caller is a host thread, the caller pays for the
 * wake. */
bool host_thread_wake(struct host_waiter *waiter);

/* Like host_thread_wait(), but the thread polls. Before each poll, it yields its core to any thread
 * that waits for this core (sched_yield). Sets *switched to whether another thread has run on the
 * core during the wait. */
enum status host_thread_poll(
	struct host_waiter *waiter, int64_t deadline_ns, const char *what, bool *switched);

/* Tells the stall detection that a thread that sleeps between two polls will find something. */
void host_thread_news(void);

/* Blocks the calling thread until host_thread_wake(), in the way in which a slow load instruction
 * stalls a core. The core stays busy with this thread, no other thread gets it, and the thread
 * continues exactly at the time of the wake. The thread's account must be settled. */
void host_thread_stall(struct host_waiter *waiter, const char *what);

/* The host number of the calling thread, as in struct affinity. */
uint16_t host_thread_host(void);

/* Settles the account of the calling host thread (world.h, settle): blocks the thread until the
 * simulated time for the work in the account has passed. */
void host_thread_settle(void);

/* Called when a polling host thread finds an effect of `cause` that has not woken the thread. The
 * thread's account must be settled. If the effect occurred while the thread slept between two
 * polls, `cause` becomes the reason why the thread continues. If the thread was busy then, its
 * later work counts for the operation of `cause`. Takes no simulated time. */
void host_thread_found(cause_id cause);

/* Adds exactly `cost_ps` to the account, without noise, for the charge `charge`. Never blocks. */
void host_thread_charge(int64_t cost_ps, enum charge charge);

/* Returns the time in ps at which host_thread_settle() would return, if no other thread wanted the
 * core or the memory. For a thread, it is engine_now() plus the costs in its account; in an event,
 * it is engine_now(). */
int64_t host_thread_paid_at_ps(void);

#endif
