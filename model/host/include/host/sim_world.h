/* The `sim` implementation of world.h: threads are actors on modelled cores. Start it after
 * engine_open(), then run the main thread. One per process. */
#ifndef HOST_SIM_WORLD_H
#define HOST_SIM_WORLD_H

#include <stdint.h>

#include "engine/engine.h"
#include "host/constants.h"
#include "world/world.h"

extern const struct world_ops sim_world;

/* Creates the hosts 0..count-1 that struct affinity refers to. `hosts` is copied; the objects that
 * it points to are borrowed. `seed` seeds the noise streams, one per thread, keyed
 * "host/<name of the thread>" on host 0 and "host K/<name>" on others. `recorder` receives the
 * marks; NULL drops them. Returns OK, or INVALID if a constant is out of range (constants.h). */
enum status sim_world_start(const struct host_description *hosts, uint16_t count, uint64_t seed,
	const struct recorder *recorder);

/* Sets the costs of encoding and decoding commands between hosts, [codec][reads]. hostnet_open()
 * calls it; it must precede the first work_code(). */
void sim_world_set_codings(const struct host_coding_cost costs[WORK_CODECS][2]);

/* Runs main_fn(argument) as the thread "main" until it returns, the simulation stalls, or a limit
 * is reached. May be called once. */
enum engine_end sim_world_run(struct affinity affinity, void (*main_fn)(void *argument),
	void *argument, struct engine_limits limits);

/* Sums the work charged so far over all threads. */
void sim_world_counts(struct work_counts *counts);

/* Frees hosts, cores and the records of threads. Call after sim_world_run(). */
void sim_world_stop(void);

#endif
