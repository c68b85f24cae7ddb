/* What the simulated device row needs of the host model: blocking a host thread until something in
 * memory changes, with the CPU's own costs for it (spinning, parking, wake-ups). Monitors are built
 * on the same. Within one process only one host thread or event runs at a time and none is
 * interrupted, so between a look at the condition and the wait nothing can be missed. */
#ifndef HOST_THREAD_H
#define HOST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cause/cause.h"
#include "world/world.h"

/* One wait of one host thread. The caller owns it (usually on the thread's stack), sets it to zero,
 * and keeps it where the waker finds it, for which `next` is free to use. */
struct host_waiter {
	struct thread *thread; /* who waits; NULL: nobody, or already woken */
	struct host_waiter *next;
};

/* Blocks the calling host thread until host_thread_wake(waiter), or until the absolute deadline
 * (DEADLINE_NEVER: none). The account must have been settled (a bug otherwise), the condition
 * looked at since then. SPIN keeps the core and goes on spin_see_ps after the wake; PARK gives it
 * away and pays a wake-up; SPIN_THEN_PARK spins for spin_ps, then parks. `what` is for stall
 * reports: static, or alive until this returns. OK, or TIMEOUT. Only from host threads. */
enum status host_thread_wait(
	struct host_waiter *waiter, int64_t deadline_ns, enum wait_mode mode, const char *what);

/* The change has happened, at engine_now(): ends the wait. No effect, and false, if nobody waits or
 * the waiter was woken before. From events and from host threads; a host thread is charged for
 * waking a parked one. Never blocks. */
bool host_thread_wake(struct host_waiter *waiter);

/* The same, looking all the time, and giving the core to any other thread that wants it before each
 * look (sched_yield). *switched: another had the core meanwhile. */
enum status host_thread_poll(
	struct host_waiter *waiter, int64_t deadline_ns, const char *what, bool *switched);

/* There is something to find for a thread that pauses between two looks: it has not stalled. */
void host_thread_news(void);

/* Blocks as a load that stalls the core does: the core is held and busy, the thread is not switched
 * away, and goes on at the very time of host_thread_wake(). The account must have been settled. */
void host_thread_stall(struct host_waiter *waiter, const char *what);

/* The host of the calling thread, as struct affinity has it. */
uint16_t host_thread_host(void);

/* Pays the account of the calling host thread: the same as sim_world.settle(). */
void host_thread_settle(void);

/* The calling host thread, whose account is paid, takes what came by `cause`, and did not wait for
 * it now. If it slept when that came, only to look again later, it goes on because of it. Else it
 * was busy, and what it does from now on is for that operation. Takes no time. */
void host_thread_found(cause_id cause);

/* Adds `cost_ps` for `charge` to the account as it is, without noise. Never blocks. */
void host_thread_charge(int64_t cost_ps, enum charge charge);

/* Time at which the account of the calling host thread would be paid if nobody else wanted the core
 * or the memory: engine_now() + what is pending. In events: engine_now(). */
int64_t host_thread_paid_at_ps(void);

#endif
