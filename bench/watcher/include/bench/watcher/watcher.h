/* What every core was at when a run came to no end: a line for each of its processors, and cores
 * that are at the same taken together, however many. Looks at stages one by one, as the world shows
 * them; refuses to say who is to blame. */
#ifndef BENCH_WATCHER_H
#define BENCH_WATCHER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "world/stage.h"

struct watcher; /* opaque */

/* Groups of cores that are kept; what the others are is not. */
enum { WATCHER_GROUPS_MAX = 64 };

/* Has seen nothing. Never NULL. */
struct watcher *watcher_new(void);

/* NULL is allowed. */
void watcher_free(struct watcher *watcher);

/* Takes down what a stage of chip `chip` is at, where stages may be looked at (world/device.h).
 * From one thread at a time. `blocked`: it waits for something. */
void watcher_see(struct watcher *watcher, uint32_t chip, const struct stage *stage, bool blocked);

/* The rows of all that it has seen, in `arena`: groups of cores in the order of their first ones,
 * those that have nothing to do last and in one. Once. */
struct watch_row *watcher_rows(struct watcher *watcher, struct arena *arena, uint32_t *count);

/* Appends a line for each group with a kernel that acts, `lines_max` at most: nothing if there is
 * none. */
void watcher_tell(
	const struct watch_row *rows, uint32_t count, uint32_t lines_max, struct text *out);

#endif
