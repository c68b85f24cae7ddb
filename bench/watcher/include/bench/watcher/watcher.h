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

/* What a processor is at: plain values, which a process may hand to another. */
struct watched_processor {
	uint32_t chip;
	uint16_t tile;
	uint8_t processor; /* its number on the tile */
	bool idle;
	struct watch_row row; /* all of it but the group, and where it is */
};

/* Looks at a stage of chip `chip`, where stages may be looked at (world/device.h). `blocked`: it
 * waits for something. */
void watcher_look(
	uint32_t chip, const struct stage *stage, bool blocked, struct watched_processor *watched);

/* Takes it down. From one thread at a time. */
void watcher_add(struct watcher *watcher, const struct watched_processor *watched);

/* Takes down what a stage of chip `chip` is at: both of these. */
void watcher_see(struct watcher *watcher, uint32_t chip, const struct stage *stage, bool blocked);

/* The rows of all that it has seen, in `arena`: groups of cores in the order of their first ones,
 * those that have nothing to do last and in one. Once. */
struct watch_row *watcher_rows(struct watcher *watcher, struct arena *arena, uint32_t *count);

/* Appends a line for each group with a kernel that acts, `lines_max` at most: nothing if there is
 * none. */
void watcher_tell(
	const struct watch_row *rows, uint32_t count, uint32_t lines_max, struct text *out);

#endif
