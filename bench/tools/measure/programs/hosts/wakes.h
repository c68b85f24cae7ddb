/* Measures wake-ups on another core between the rounds of a native run. On virtual cores a wake-up
 * takes 21 us for a second or so and then 30 us, so a figure from a minute before is of little
 * use. */
#ifndef BENCH_TOOLS_MEASURE_WAKES_H
#define BENCH_TOOLS_MEASURE_WAKES_H

#include <sched.h>
#include <stdint.h>

struct wakes;

/* Starts a thread on another core of `cores`, which waits to be woken. NULL if there is no other
 * core. The caller must be bound to one core. */
struct wakes *wakes_start(const cpu_set_t *cores);
void wakes_end(struct wakes *wakes);

/* The caller and the thread wake each other `count` times; wakes_ns[i] receives half of each round
 * trip. */
void wakes_measure(struct wakes *wakes, uint32_t count, double *wakes_ns);

#endif
