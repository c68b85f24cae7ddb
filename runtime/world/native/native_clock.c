/* The clock of the native world, and waiting with a deadline. */
#include "native_wait.h"

#include "base/ensure.h"
#include "world/native/native.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

enum { SPIN_PAUSES = 64, NS_PER_S = 1000000000 };

static int64_t start_ns;		 /* value of CLOCK_MONOTONIC at time 0 of this world */
static int64_t spin_ns = NATIVE_SPIN_NS; /* time for which SPIN_THEN_PARK spins */

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * (int64_t)NS_PER_S + now.tv_nsec;
}

void native_clock_start(void)
{
	start_ns = monotonic_ns();
}

void native_world_spin(int64_t wanted_ns)
{
	spin_ns = wanted_ns > 0 ? wanted_ns : NATIVE_SPIN_NS;
}

int64_t native_spin_ns(void)
{
	return spin_ns;
}

int64_t native_now_ns(void)
{
	return monotonic_ns() - start_ns;
}

/* Converts `deadline_ns`, which must not be DEADLINE_NEVER, to an absolute time of
 * CLOCK_MONOTONIC. */
static struct timespec timespec_of(int64_t deadline_ns)
{
	int64_t at_ns = deadline_ns + start_ns;
	struct timespec at;

	if (at_ns < 0)
		at_ns = 0;
	at.tv_sec = at_ns / NS_PER_S;
	at.tv_nsec = at_ns % NS_PER_S;
	return at;
}

void native_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

void native_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline_ns)
{
	struct timespec at;

	/* a deadline beyond the range of the clock means that there is no deadline */
	if (deadline_ns >= DEADLINE_NEVER - start_ns) {
		pthread_cond_wait(cond, mutex);
		return;
	}
	at = timespec_of(deadline_ns);
	pthread_cond_timedwait(cond, mutex, &at);
}

void native_spin_pause(enum wait_mode mode, uint32_t looks)
{
	if (mode == WAIT_YIELD || looks >= SPIN_PAUSES)
		sched_yield();
	else
		__builtin_ia32_pause();
}

void native_sleep_until(int64_t deadline_ns)
{
	struct timespec at;

	if (deadline_ns <= native_now_ns())
		return;
	ensure(deadline_ns < DEADLINE_NEVER - start_ns, "sleep without end");
	at = timespec_of(deadline_ns);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		continue;
}
