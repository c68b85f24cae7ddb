/* Measures wake-ups on another core (see hosts.h). Uses only threads and eventfds of Linux. */
#include "hosts.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

struct wakes {
	pthread_t thread;
	cpu_set_t core;
	int there, back; /* eventfds; written to `there`: 1 to wake, 2 to end */
};

static uint64_t wakes_take(int from)
{
	uint64_t value;

	ensure(read(from, &value, sizeof value) == sizeof value, "no eventfd");
	return value;
}

static void give(int to, uint64_t value)
{
	ensure(write(to, &value, sizeof value) == sizeof value, "no eventfd");
}

static void *wakes_answer(void *argument)
{
	struct wakes *wakes = argument;

	ensure(sched_setaffinity(0, sizeof wakes->core, &wakes->core) == 0,
		"cannot be bound to a core");
	while (wakes_take(wakes->there) == 1)
		give(wakes->back, 1);
	return NULL;
}

struct wakes *wakes_start(const cpu_set_t *cores)
{
	struct wakes *wakes;
	int here = sched_getcpu(), core = 0;

	while (core < CPU_SETSIZE && (core == here || !CPU_ISSET((size_t)core, cores)))
		core++;
	if (core == CPU_SETSIZE)
		return NULL;
	wakes = allocate(1, sizeof *wakes);
	CPU_SET((size_t)core, &wakes->core);
	wakes->there = eventfd(0, EFD_CLOEXEC);
	wakes->back = eventfd(0, EFD_CLOEXEC);
	ensure(wakes->there >= 0 && wakes->back >= 0, "no eventfd");
	ensure(pthread_create(&wakes->thread, NULL, wakes_answer, wakes) == 0, "no thread");
	return wakes;
}

void wakes_end(struct wakes *wakes)
{
	if (wakes == NULL)
		return;
	give(wakes->there, 2);
	pthread_join(wakes->thread, NULL);
	close(wakes->there);
	close(wakes->back);
	free(wakes);
}

void wakes_measure(struct wakes *wakes, uint32_t count, double *wakes_ns)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t begin_ns = world->now_ns();

		give(wakes->there, 1);
		(void)wakes_take(wakes->back);
		wakes_ns[i] = (double)(world->now_ns() - begin_ns) / 2;
	}
}
