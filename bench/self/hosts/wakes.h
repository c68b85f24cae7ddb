/* Wake-ups on another core, measured between the rounds of a native run: on virtual cores they take
 * now 21 us and now 30, for a second or so each, so that what was measured a minute before says
 * little. */
#ifndef BENCH_HOSTS_WAKES_H
#define BENCH_HOSTS_WAKES_H

#include <sched.h>
#include <stdint.h>

struct wakes;

/* A thread beside the caller's, on another core of `cores`, that parks; NULL: there is no other.
 * The caller is bound to its core. */
struct wakes *wakes_start(const cpu_set_t *cores);
void wakes_end(struct wakes *wakes);

/* The two wake each other by turns `count` times: ns of a wake-up, half of each turn and the next.
 */
void wakes_measure(struct wakes *wakes, uint32_t count, double *wakes_ns);

#endif
