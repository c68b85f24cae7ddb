/* Parts of bench-hosts: its arguments, the files that it writes about this machine, and the
 * measurement of wake-ups between rounds. */
#ifndef BENCH_TOOLS_MEASURE_HOSTS_H
#define BENCH_TOOLS_MEASURE_HOSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sched.h>

#include "bench/run/runner.h"

/* Arguments of bench-hosts, and the files that it writes about this machine. */

struct bench_arguments {
	bool quick;
	const char *platform, *apart; /* platform files; NULL: measure this machine */
	const char *const *transports;
	uint32_t transport_count; /* 0: all transports in this build */
};

/* Platform files of this machine, and scenarios that use them. With the files of index 0, both
 * processes run on the same core. With the files of index 1, each process has its own core. */
struct files {
	char platform[2][SCRATCH_PATH_BYTES + 16], scenario[2][SCRATCH_PATH_BYTES + 16];
};

/* Writes the scenarios. Also measures this machine and writes platform files, unless the arguments
 * name platform files. Returns false after a message on standard error. */
bool files_prepare(
	const struct bench_arguments *arguments, struct scratch *scratch, struct files *files);

/* Measures wake-ups on another core between the rounds of a native run. On virtual cores, a figure
 * from a minute ago would be wrong: for example, a wake-up takes 21 us for about a second, and then
 * 30 us. */

struct wakes;

/* Starts a thread on a core of `cores` other than the caller's. The thread waits to be woken.
 * Returns NULL if there is no other core. The caller must be bound to one core. */
struct wakes *wakes_start(const cpu_set_t *cores);
void wakes_end(struct wakes *wakes);

/* Lets the caller and the thread wake each other `count` times. Sets wakes_ns[i] to half of the
 * time of round trip i, in ns. */
void wakes_measure(struct wakes *wakes, uint32_t count, double *wakes_ns);

#endif
