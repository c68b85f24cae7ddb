/* The `sim` row of world.h: threads are actors on modelled cores. Start it after engine_open(),
 * then run the main thread. One per process. */
#ifndef HOST_SIM_WORLD_H
#define HOST_SIM_WORLD_H

#include <stdint.h>

#include "engine/engine.h"
#include "host/constants.h"
#include "world/recorder.h"
#include "world/world.h"

extern const struct world_ops sim_world;

/* Makes the hosts 0..count-1 of struct affinity. `hosts` is copied, what it points to is borrowed.
 * `seed` starts the streams of noise, one per thread, keyed "host/<name of the thread>",
 * on further hosts "host K/<name>".
 * `recorder` gets the marks; NULL: they are dropped. INVALID if a constant is out of its range
 * (constants.h). */
enum status sim_world_start(const struct host_description *hosts, uint16_t count, uint64_t seed,
	const struct recorder *recorder);

/* What commands between hosts cost by codec and direction ([codec][reads]): of the network between
 * hosts, which says it when it is opened. work_code() has to be told before. */
void sim_world_set_codings(const struct host_coding_cost costs[WORK_CODECS][2]);

/* Runs main_fn(argument) as the thread "main" until it returns, nothing can happen any more, or a
 * limit is reached. Runs once. */
enum engine_end sim_world_run(struct affinity affinity, void (*main_fn)(void *argument),
	void *argument, struct engine_limits limits);

/* Work charged so far, over all threads. */
void sim_world_counts(struct work_counts *counts);

/* Frees hosts, cores and the records of threads. After sim_world_run(). */
void sim_world_stop(void);

#endif
