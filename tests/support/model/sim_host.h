/* A simulated world of one host for tests, in a child process (sim_case.h). Its costs are round
 * numbers, so that tests can state expected times as simple formulas. They do not describe a
 * machine. */
#ifndef SUPPORT_SIM_HOST_H
#define SUPPORT_SIM_HOST_H

#include "host/constants.h"
#include "host/sim_world.h"
#include "host/statistics.h"
#include "host/thread.h"

enum { NS = 1000, US = 1000 * NS, MS = 1000 * US }; /* in ps */

/* One socket of 4 cores, without noise.
 *
 *   memory      20 GB/s; copies run at 10 GB/s, and each byte copied is one byte of memory traffic
 *   threads     quantum 1 ms; a switch takes 2 us; starting a thread is free
 *   spinning    lasts 10 us; a spinning thread sees a change after 100 ns
 *   wake-ups    take 3 us on a hot core and 40 us on an idle one; a core is idle after 200 us;
 *               waking a parked thread costs the waking thread nothing
 *   work        one API_CALL takes 1 us, all other work 1 ns
 *   drain       of write combining: 200 ns */
struct host_constants sim_host_constants(void);

/* Returns sim_host_constants(), except that switching and waking cost nothing. */
struct host_constants sim_host_free_constants(void);

/* Returns the given constants, but for a socket with one core. */
struct host_constants sim_host_one_core(struct host_constants constants);

/* Opens the engine and runs main_fn(argument) as the main thread on this host. Must be called in
 * the child. `seed` is the seed of the random streams. */
enum engine_end sim_host_run(const struct host_constants *constants, uint64_t seed,
	void (*main_fn)(void *argument), void *argument);

/* Calls sim_host_run() in a child process, which must succeed and finish. */
void sim_host_case(struct host_constants constants, void (*main_fn)(void *argument));

/* Computes for `us` microseconds. */
void sim_host_compute(uint64_t us);

/* Wakes a waiter. This is a callback for engine_push(). */
void sim_host_wake(void *waiter, uint64_t unused);

#endif
