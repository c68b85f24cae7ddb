/* What kernels print, on its way into the result file: the first ones, as many as were asked for;
 * the others are counted. Refuses to wait for anybody, or to be waited for. */
#ifndef BENCH_PRINTS_H
#define BENCH_PRINTS_H

#include <stdint.h>

#include "base/arena.h"
#include "bench/results/results.h"
#include "firmware/core/firmware.h"

struct prints; /* opaque */

/* Keeps `most` prints, of this process and of those that it forks from here on. `now_ps`: the time,
 * for whoever prints. Never NULL; lives as long as the process, since chips may print until then.
 */
struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void));

/* Takes one. From any thread of any of these processes. */
void prints_take(struct prints *prints, const struct firmware_print *print);

/* Adds the tables of what was printed so far; none if nothing was. In `arena`. */
void prints_record(struct prints *prints, struct run_record *record, struct arena *arena);

#endif
