/* Records the activity of processors, links, threads and queues over time, but only within windows
 * that are chosen before the run. While nothing is watched, a call costs only one comparison.
 *
 * The windows are those of the slowest operations, which an earlier, otherwise identical run has
 * found. A single run would have to store the activity of every operation, because only later
 * operations show which ones are the slowest. This would cost time in all runs, and unlimited
 * memory. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum watch_kind { WATCH_PATH, WATCH_CHIP, WATCH_PROCESSOR, WATCH_LINK, WATCH_THREAD, WATCH_QUEUE };

/* Text of a slice in which a processor does not wait. */
#define WATCH_BUSY "busy"

/* The window of an operation, from its call to its end. */
struct watch_window {
	uint32_t operation;
	int64_t start_ps, end_ps;
};

struct watch_track {
	char name[64];
	enum watch_kind kind;
	int32_t chip; /* number of the chip; -1: none */
	int64_t window_end_ps;
	uint32_t depth;
};

struct watch_slice {
	uint32_t track, operation; /* `operation`: number of the slice's operation; 0: none */
	int64_t start_ps, end_ps;
	const char *what; /* name of the activity; static text */
};

/* The depth of a queue from `at_ps` on. It is set to 0 at the end of a window. */
struct watch_depth {
	uint32_t track, depth;
	int64_t at_ps;
};

/* Limit on the number of slices that are recorded, and also on the number of depths. Further slices
 * and depths are not recorded, but counted in `lost`. */
enum { WATCH_MOST = 1 << 20 };

/* Everything that was recorded. Tracks are numbered from 1. */
struct watched {
	const struct watch_track *tracks;
	const struct watch_slice *slices;
	const struct watch_depth *depths;
	uint32_t track_count, slice_count, depth_count;
	uint64_t lost;
};

/* Starts recording, which lasts until the process ends. Copies `windows`, which must be sorted by
 * operation. No window may begin before the current time. There is one recording per process,
 * because a process has one engine. */
void watch_start(const struct watch_window *windows, uint32_t count);

/* The window of an operation, or NULL. */
const struct watch_window *watch_window_of(uint32_t operation);

/* Creates a track with a printf-style name. Returns 0 if nothing is watched. */
uint32_t watch_track(enum watch_kind kind, int32_t chip, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void watch_add_slice(uint32_t track, int64_t start_ps, int64_t end_ps, const char *what);
void watch_add_depth(uint32_t track, int64_t at_ps, uint32_t depth);

/* Records an activity of the operation to which the current cause belongs. `what` is static text.
 * Only the parts of the activity that lie in windows are kept. */
static inline void watch_slice(uint32_t track, int64_t start_ps, int64_t end_ps, const char *what)
{
	if (track != 0)
		watch_add_slice(track, start_ps, end_ps, what);
}

/* Records that a queue holds `depth` entries from `at_ps` on. Calls must be in order of time. */
static inline void watch_depth(uint32_t track, int64_t at_ps, uint32_t depth)
{
	if (track != 0)
		watch_add_depth(track, at_ps, depth);
}

/* Records a whole slice of an operation, in windows or not. */
void watch_slice_of(
	uint32_t track, uint32_t operation, int64_t start_ps, int64_t end_ps, const char *what);

/* Sets the depths of all queues to 0, ends the recording and returns it. The result is valid until
 * the process ends. Returns NULL if nothing was watched. */
const struct watched *watch_end(void);

#endif
