/* The watcher records the state of every core when a run did not finish. The run passes the stages
 * (firmware or kernel processors) of all chips to the watcher. All cores in the same state form one
 * group, with a row for each processor of a core. The watcher does not search for the cause of a
 * stall. */
#ifndef BENCH_WATCHER_H
#define BENCH_WATCHER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "world/stage.h"
#include "firmware/core/firmware.h"

struct watcher; /* opaque */

/* The number of groups that are kept. The states of all other groups are lost. */
enum { WATCHER_GROUPS_MAX = 64 };

/* Returns a watcher without recorded processors. Never returns NULL. */
struct watcher *watcher_new(void);

/* NULL is allowed. */
void watcher_free(struct watcher *watcher);

/* The state of a processor, as plain values that one process can send to another. */
struct watched_processor {
	uint32_t chip;
	uint16_t tile;
	uint8_t processor; /* number of the processor on the tile */
	bool idle;
	struct watch_row row; /* `group` and the places of cores (`chips`, `tiles`) are not set */
};

/* Fills *watched with the state of the processor that executes `stage` on chip `chip`. `blocked` is
 * true if the stage waits for something. Call it only when stages may be inspected
 * (world/device.h). */
void watcher_look(
	uint32_t chip, const struct stage *stage, bool blocked, struct watched_processor *watched);

/* Records a state. Call it from one thread at a time. */
void watcher_add(struct watcher *watcher, const struct watched_processor *watched);

/* Records the state of a stage of chip `chip`, by watcher_look() and watcher_add(). */
void watcher_see(struct watcher *watcher, uint32_t chip, const struct stage *stage, bool blocked);

/* Makes the rows of all recorded states, in `arena`, and sets *count to their number. Groups are
 * sorted by their first core, but the last group has all idle cores. Call it only once. */
struct watch_row *watcher_rows(struct watcher *watcher, struct arena *arena, uint32_t *count);

/* Appends a line for each group of cores whose kernel executes instructions. Appends at most
 * `lines_max` of these lines. If there are more groups, the next line has the number of cores in
 * all remaining groups. */
void watcher_tell(
	const struct watch_row *rows, uint32_t count, uint32_t lines_max, struct text *out);

/* Collects the values that kernels print, for the result file. Keeps only the first values, as many
 * as measure.prints says, but counts all of them. Never blocks. */

struct prints; /* opaque */

/* Makes a collection of up to `most` prints. This process, and processes that it forks later, add
 * their prints to the collection. `now_ps` returns the current time, in ps. The collection exists
 * until the process ends, because chips may print until then. Never returns NULL. */
struct prints *prints_new(uint32_t most, int64_t (*now_ps)(void));

/* Records a print. Call it from any thread of these processes. */
void prints_take(struct prints *prints, const struct firmware_print *print);

/* Adds the tables `prints` and `print_counts` to `record`, with the prints so far. If there are no
 * prints, adds no table. Allocates in `arena`. */
void prints_record(struct prints *prints, struct run_record *record, struct arena *arena);

/* Collects the log lines of a run, for the result file. Keeps only the first lines, as many as
 * measure.log.lines says, but counts all of them. Never blocks. */

struct logbook; /* opaque */

/* Makes a collection of up to `most` log lines. It takes lines of each type (world/world.h) whose
 * level is least[type] or higher. This process, and processes that it forks later, add their lines
 * to the collection. The collection exists until the process ends, because threads may log until
 * then. Never returns NULL. */
struct logbook *logbook_new(const enum log_level least[LOG_TYPE_COUNT], uint32_t most);

/* Returns the sink through which a world adds log lines to the collection. Returns NULL if the
 * collection takes lines of no type. */
const struct log_sink *logbook_sink(const struct logbook *book);

/* Records a line. Call it from any thread of these processes. */
void logbook_take(struct logbook *book, const struct log_line *line);

/* Adds the tables `log` and `log_counts` to `record`, with the lines so far in the order of time.
 * If there are no lines, adds no table. Allocates in `arena`. */
void logbook_record(struct logbook *book, struct run_record *record, struct arena *arena);

#endif
