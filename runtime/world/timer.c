/* Timers: one thread that waits for the earliest of a binary heap, ordered by deadline and id.
 * Refuses periodic timers: fire() may set the next one. */
#include "world/timer.h"

#include "base/ensure.h"

#include <stdbool.h>
#include <stdlib.h>

struct timer {
	int64_t deadline_ns;
	uint64_t id;
	void (*fire)(void *arg);
	void *arg;
};

struct timer_service {
	struct monitor *monitor;
	struct thread *thread;
	struct timer *heap; /* heap[0] is the earliest */
	uint32_t count, capacity;
	uint64_t last_id;
	bool stopping;
};

static bool timer_before(const struct timer *a, const struct timer *b)
{
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	return a->id < b->id;
}

/* Moves `timer` up from the hole at `place` to where it belongs. */
static void timer_rise(struct timer_service *service, uint32_t place, struct timer timer)
{
	while (place > 0 && timer_before(&timer, &service->heap[(place - 1) / 2])) {
		service->heap[place] = service->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	service->heap[place] = timer;
}

/* Moves `timer` down from the hole at `place` to where it belongs. */
static void timer_sink(struct timer_service *service, uint32_t place, struct timer timer)
{
	for (;;) {
		uint32_t child = 2 * place + 1;

		if (child + 1 < service->count &&
			timer_before(&service->heap[child + 1], &service->heap[child]))
			child++;
		if (child >= service->count || timer_before(&timer, &service->heap[child]))
			break;
		service->heap[place] = service->heap[child];
		place = child;
	}
	service->heap[place] = timer;
}

static void timer_remove(struct timer_service *service, uint32_t place)
{
	struct timer last = service->heap[--service->count];

	if (place == service->count)
		return;
	if (place > 0 && timer_before(&last, &service->heap[(place - 1) / 2]))
		timer_rise(service, place, last);
	else
		timer_sink(service, place, last);
}

static void timer_run(void *arg)
{
	struct timer_service *service = arg;

	world->monitor_enter(service->monitor);
	while (!service->stopping) {
		int64_t deadline_ns = DEADLINE_NEVER;

		if (service->count > 0)
			deadline_ns = service->heap[0].deadline_ns;
		if (service->count > 0 && world->now_ns() >= deadline_ns) {
			struct timer timer = service->heap[0];

			timer_remove(service, 0);
			world->monitor_exit(service->monitor);
			timer.fire(timer.arg);
			world->monitor_enter(service->monitor);
		} else {
			world->monitor_wait_until(service->monitor, deadline_ns, WAIT_PARK);
		}
	}
	world->monitor_exit(service->monitor);
}

struct timer_service *timer_service_new(const char *name, uint16_t host)
{
	struct timer_service *service = calloc(1, sizeof *service);
	struct affinity affinity = {.host = host, .core = -1};

	ensure(service != NULL, "no memory for timer service '%s'", name);
	service->monitor = world->monitor_new(name);
	service->thread = world->spawn(name, affinity, timer_run, service);
	return service;
}

void timer_service_free(struct timer_service *service)
{
	if (service == NULL)
		return;
	world->monitor_enter(service->monitor);
	service->stopping = true;
	world->monitor_notify_all(service->monitor);
	world->monitor_exit(service->monitor);
	world->join(service->thread);
	world->monitor_free(service->monitor);
	free(service->heap);
	free(service);
}

uint64_t timer_set(
	struct timer_service *service, int64_t deadline_ns, void (*fire)(void *arg), void *arg)
{
	struct timer timer = {.deadline_ns = deadline_ns, .fire = fire, .arg = arg};

	world->monitor_enter(service->monitor);
	if (service->count == service->capacity) {
		service->capacity = service->capacity ? 2 * service->capacity : 16;
		service->heap = realloc(service->heap, service->capacity * sizeof *service->heap);
		ensure(service->heap != NULL, "no memory for %u timers", service->capacity);
	}
	timer.id = ++service->last_id;
	timer_rise(service, service->count++, timer);
	if (service->heap[0].id == timer.id)
		world->monitor_notify_one(service->monitor);
	world->monitor_exit(service->monitor);
	return timer.id;
}

enum status timer_cancel(struct timer_service *service, uint64_t id)
{
	enum status status = STATUS_NOT_FOUND;

	world->monitor_enter(service->monitor);
	for (uint32_t i = 0; i < service->count; i++) {
		if (service->heap[i].id == id) {
			timer_remove(service, i);
			status = STATUS_OK;
			break;
		}
	}
	world->monitor_exit(service->monitor);
	return status;
}
