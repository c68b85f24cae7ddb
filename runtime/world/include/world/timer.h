/* One-shot timers on one thread, written once above the world. */
#ifndef WORLD_TIMER_H
#define WORLD_TIMER_H

#include "world/world.h"

struct timer_service; /* opaque: a thread and the timers that it watches */

/* Starts the service's thread on `host`. */
struct timer_service *timer_service_new(const char *name, uint16_t host);

/* Drops what has not fired, ends the thread. NULL is allowed. */
void timer_service_free(struct timer_service *service);

/* Calls fire(arg) on the service's thread at the absolute deadline. Returns an id, never 0. Timers
 * with equal deadlines fire in the order in which they were set. */
uint64_t timer_set(
	struct timer_service *service, int64_t deadline_ns, void (*fire)(void *arg), void *arg);

/* OK if the timer will not fire any more, NOT_FOUND if it has fired or is firing. */
enum status timer_cancel(struct timer_service *service, uint64_t id);

#endif
