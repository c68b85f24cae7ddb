/* The `sim` implementation of world.h: threads are actors on modelled cores. Start it after
 * engine_open(), then run the main thread. A process has one simulated world. */
#ifndef HOST_SIM_WORLD_H
#define HOST_SIM_WORLD_H

#include <stdint.h>

#include "engine/engine.h"
#include "host/constants.h"
#include "world/world.h"

extern const struct world_ops sim_world;

/* Creates the hosts 0..count-1 to which struct affinity refers. `hosts` is copied; the objects to
 * which it points are borrowed. `seed` seeds the noise streams. There is one stream per thread,
 * with the key "host/<name of the thread>" on host 0 and "host K/<name>" on host K. `recorder`
 * receives the marks; NULL drops them. Returns OK, or INVALID if a constant is out of range
 * (constants.h). */
enum status sim_world_start(const struct host_description *hosts, uint16_t count, uint64_t seed,
	const struct recorder *recorder);

/* Sets the costs of encoding and decoding commands between hosts, as costs[codec][reads].
 * hostnet_open() calls this. Call it before the first work_code(). */
void sim_world_set_codings(const struct host_coding_cost costs[WORK_CODECS][2]);

/* Runs main_fn(argument) as the thread "main" until it returns, the simulation stalls, or a limit
 * is reached. May be called once. */
enum engine_end sim_world_run(struct affinity affinity, void (*main_fn)(void *argument),
	void *argument, struct engine_limits limits);

/* Sets *counts to the work that all threads have charged so far. */
void sim_world_counts(struct work_counts *counts);

/* Frees hosts, cores and the records of threads. Call after sim_world_run(). */
void sim_world_stop(void);

#endif
