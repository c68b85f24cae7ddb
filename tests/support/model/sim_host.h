/* A simulated world of one host for tests, in a child process (sim_case.h), with round costs that
 * make closed forms easy to write down. They do not describe a machine. */
#ifndef SUPPORT_SIM_HOST_H
#define SUPPORT_SIM_HOST_H

#include "host/constants.h"
#include "host/sim_world.h"
#include "host/statistics.h"
#include "host/thread.h"

enum { NS = 1000, US = 1000 * NS, MS = 1000 * US }; /* in ps */

/* One socket of 4 cores with 20 GB/s; quantum 1 ms; switch 2 us; a spinner sees after 100 ns;
 * wake-ups of 3 us hot and 40 us idle, idle after 200 us; spins for 10 us; waking a parked thread
 * and starting one are free; one API_CALL is 1 us, all other work 1 ns; copies at 10 GB/s with as
 * much memory traffic; drain 200 ns; no noise. */
struct host_constants sim_host_constants(void);

/* The same, but switching and waking cost nothing. */
struct host_constants sim_host_free_constants(void);

/* The given constants on a socket with one core. */
struct host_constants sim_host_one_core(struct host_constants constants);

/* In the child: opens the engine and runs main_fn(argument) as the main thread on this host. `seed`
 * is the seed of the streams. */
enum engine_end sim_host_run(const struct host_constants *constants, uint64_t seed,
	void (*main_fn)(void *argument), void *argument);

/* The same in a child process, which must succeed and finish. */
void sim_host_case(struct host_constants constants, void (*main_fn)(void *argument));

/* Computes for `us` microseconds. */
void sim_host_compute(uint64_t us);

/* Wakes a waiter; a callback for engine_push(). */
void sim_host_wake(void *waiter, uint64_t unused);

#endif
