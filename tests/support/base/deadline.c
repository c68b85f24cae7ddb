/* Implements deadline.h. A thread counts its own short sleeps instead of reading the clock. On a
 * busy machine, the tested code is slow, but the sleeps also take longer. So the deadline comes
 * later there. */
#include "deadline.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ensure.h"

enum { SLEEPS_PER_SECOND = 100 };

static char sentence[300];
static int sleeps_left; /* number of sleeps until the deadline; 0: no deadline; atomic */
static pid_t watched;	/* the process that has the thread; its child processes have none */

static void *watch(void *unused)
{
	static const struct timespec sleep = {.tv_nsec = 1000000000 / SLEEPS_PER_SECOND};

	(void)unused;
	for (;;) {
		int left;

		nanosleep(&sleep, NULL);
		left = __atomic_load_n(&sleeps_left, __ATOMIC_ACQUIRE);
		if (left == 1) {
			fputs(sentence, stderr);
			_exit(1);
		}
		if (left > 1) /* unless the deadline was just stopped or restarted */
			__atomic_compare_exchange_n(&sleeps_left, &left, left - 1, false,
				__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	}
	return NULL;
}

void deadline_start(const char *what)
{
	pthread_t thread;

	snprintf(sentence, sizeof sentence, "FAILED: %s is not over after %d s: it is locked up\n",
		what, DEADLINE_SECONDS);
	__atomic_store_n(&sleeps_left, DEADLINE_SECONDS * SLEEPS_PER_SECOND, __ATOMIC_RELEASE);
	if (watched == getpid())
		return;
	watched = getpid();
	ensure(pthread_create(&thread, NULL, watch, NULL) == 0, "no thread to watch a deadline");
	pthread_detach(thread);
}

void deadline_stop(void)
{
	__atomic_store_n(&sleeps_left, 0, __ATOMIC_RELEASE);
}
