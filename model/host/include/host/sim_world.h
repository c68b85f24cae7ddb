/* The `sim` implementation of world.h: threads are actors that run on modelled cores. To use it,
 * call engine_open(), sim_world_start(), and sim_world_run(), in this order. There is one simulated
 * world per process. */
#ifndef HOST_SIM_WORLD_H
#define HOST_SIM_WORLD_H

#include <stdint.h>

#include "engine/engine.h"
#include "host/constants.h"
#include "world/world.h"

extern const struct world_ops sim_world;

/* Creates the hosts 0..count-1, to which struct affinity refers. Copies the array `hosts`, but not
 * the objects to which its members point; these objects must stay valid. Each thread has a random
 * stream for its noise, which is seeded with `seed` and with the key "host/<name of the thread>" on
 * host 0, or "host K/<name of the thread>" on host K. `recorder` receives the marks; if it is NULL,
 * marks are ignored. Returns OK, or INVALID if a constant is out of range (constants.h). */
enum status sim_world_start(const struct host_description *hosts, uint16_t count, uint64_t seed,
	const struct recorder *recorder);

/* Sets the costs of encoding and decoding commands between hosts: costs[codec][0] for encoding, and
 * costs[codec][1] for decoding. hostnet_open() calls this function. It must be called before the
 * first work_code(). */
void sim_world_set_codings(const struct host_coding_cost costs[WORK_CODECS][2]);

/* Runs main_fn(argument) as the thread "main". Returns when the thread "main" returns, when the
 * simulation stalls, or when a limit is reached. May be called once. */
enum engine_end sim_world_run(struct affinity affinity, void (*main_fn)(void *argument),
	void *argument, struct engine_limits limits);

/* Sets *counts to the work that all threads have charged so far. */
void sim_world_counts(struct work_counts *counts);

/* Frees hosts, cores and the records of threads. Call after sim_world_run(). */
void sim_world_stop(void);

#endif
