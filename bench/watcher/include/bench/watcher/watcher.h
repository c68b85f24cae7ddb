/* Records the state of every core when a run did not finish: a line for each of its processors.
 * Cores in the same state form one group, however many they are. The watcher looks at stages one by
 * one, through the world; finding the culprit is left to the reader. */
#ifndef BENCH_WATCHER_H
#define BENCH_WATCHER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "world/stage.h"
#include "firmware/core/firmware.h"

struct watcher; /* opaque */

/* The number of groups that are kept. The states of further groups are lost. */
enum { WATCHER_GROUPS_MAX = 64 };

/* A watcher without recorded processors. Never NULL. */
struct watcher *watcher_new(void);

/* NULL is allowed. */
void watcher_free(struct watcher *watcher);

/* The state of a processor, as plain values that one process can send to another. */
struct watched_processor {
	uint32_t chip;
	uint16_t tile;
	uint8_t processor; /* its number on the tile */
	bool idle;
	struct watch_row row; /* all of it but the group and the places */
};

/* Fills *watched with the state of a stage of chip `chip`. Call it where stages may be inspected
 * (world/device.h). `blocked`: the stage waits for something. */
void watcher_look(
	uint32_t chip, const struct stage *stage, bool blocked, struct watched_processor *watched);

/* Records a state. Call it from one thread at a time. */
void watcher_add(struct watcher *watcher, const struct watched_processor *watched);

/* Records the state of a stage of chip `chip`: watcher_look() and watcher_add(). */
void watcher_see(struct watcher *watcher, uint32_t chip, const struct stage *stage, bool blocked);

/* The rows of everything recorded, allocated in `arena`: groups in the order of their first cores,
 * then one group of all idle cores. Call it only once. */
struct watch_row *watcher_rows(struct watcher *watcher, struct arena *arena, uint32_t *count);

/* Appends a line for each group with a kernel that acts, at most `lines_max` lines, or nothing if
 * there is no such group. */
void watcher_tell(
	const struct watch_row *rows, uint32_t count, uint32_t lines_max, struct text *out);

/* Collects the prints of kernels for the result file: keeps the first ones, as many as the scenario
 * asks for, and counts the others. Never blocks. */

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
