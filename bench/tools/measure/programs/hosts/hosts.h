/* The parts of bench-hosts: its arguments and the files that it writes about this machine, and
 * wake-ups measured between the rounds. */
#ifndef BENCH_TOOLS_MEASURE_HOSTS_H
#define BENCH_TOOLS_MEASURE_HOSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sched.h>

#include "bench/run/scratch.h"

/* Arguments of bench-hosts, and the files that it writes about this machine. */

struct bench_arguments {
	bool quick;
	const char *platform, *apart; /* platform files; NULL: measure this machine */
	const char *const *transports;
	uint32_t transport_count; /* 0: all in this build */
};

/* Platform files of the machine, and scenarios for them: [0] both processes on one core, [1] each
 * on its own core. */
struct files {
	char platform[2][SCRATCH_PATH_BYTES + 16], scenario[2][SCRATCH_PATH_BYTES + 16];
};

/* Measures this machine if no file is given, and writes the scenarios. False after a message. */
bool files_prepare(
	const struct bench_arguments *arguments, struct scratch *scratch, struct files *files);

/* Measures wake-ups on another core between the rounds of a native run. On virtual cores a wake-up
 * takes 21 us for a second or so and then 30 us, so a figure from a minute before is of little
 * use. */

struct wakes;

/* Starts a thread on another core of `cores`, which waits to be woken. NULL if there is no other
 * core. The caller must be bound to one core. */
struct wakes *wakes_start(const cpu_set_t *cores);
void wakes_end(struct wakes *wakes);

/* The caller and the thread wake each other `count` times; wakes_ns[i] receives half of each round
 * trip. */
void wakes_measure(struct wakes *wakes, uint32_t count, double *wakes_ns);

#endif
