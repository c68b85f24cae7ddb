/* Collects the prints of kernels for the result file: keeps the first ones, as many as the scenario
 * asks for, and counts the others. Never blocks. */
#ifndef BENCH_PRINTS_H
#define BENCH_PRINTS_H

#include <stdint.h>

#include "base/arena.h"
#include "bench/results/results.h"
#include "firmware/core/firmware.h"

struct prints; /* opaque */

/* Keeps up to `most` prints, of this process and of processes that it forks from now on. `now_ps`
 * gives the time of a print. Never NULL. Lives as long as the process, since chips may print until
 * then. */
struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void));

/* Records a print. Call it from any thread of any of these processes. */
void prints_take(struct prints *prints, const struct firmware_print *print);

/* Adds the tables of the prints so far to `record`, unless there are none. Allocates in `arena`. */
void prints_record(struct prints *prints, struct run_record *record, struct arena *arena);

#endif
