/* What happens when: processors, links, threads and queues over time, in windows that were chosen
 * before the run. Knows nothing outside of them, and costs one comparison where nobody watches.
 *
 * The windows of the slowest operations are known from a run before, which is the same but for
 * this: kept alternatives would have been whatever happens for every operation until it is known
 * not to be slow, so memory without a bound, and time where nobody asks. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum watch_kind { WATCH_PATH, WATCH_CHIP, WATCH_PROCESSOR, WATCH_LINK, WATCH_THREAD, WATCH_QUEUE };

/* What a processor is called that does not wait. */
#define WATCH_BUSY "busy"

/* From the call of an operation to its end. */
struct watch_window {
	uint32_t operation;
	int64_t start_ps, end_ps;
};

struct watch_track {
	char name[64];
	enum watch_kind kind;
	int32_t chip; /* -1: none */
	int64_t window_end_ps;
	uint32_t depth;
};

struct watch_slice {
	uint32_t track, operation; /* on whose behalf; 0: nobody's */
	int64_t start_ps, end_ps;
	const char *what; /* static */
};

/* From then on; 0 at the end of a window, since nobody looks at what comes then. */
struct watch_depth {
	uint32_t track, depth;
	int64_t at_ps;
};

/* More slices, or more depths, are counted and lost. */
enum { WATCH_MOST = 1 << 20 };

/* All that was seen; tracks are counted from 1. */
struct watched {
	const struct watch_track *tracks;
	const struct watch_slice *slices;
	const struct watch_depth *depths;
	uint32_t track_count, slice_count, depth_count;
	uint64_t lost;
};

/* Watches from now on, until the process ends. Windows by operation, copied; none may be before
 * now. One per process, as there is one engine. */
void watch_start(const struct watch_window *windows, uint32_t count);

/* The window of an operation; NULL: it has none. */
const struct watch_window *watch_window_of(uint32_t operation);

/* A new track; 0: nobody watches. */
uint32_t watch_track(enum watch_kind kind, int32_t chip, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void watch_add_slice(uint32_t track, int64_t start_ps, int64_t end_ps, const char *what);
void watch_add_depth(uint32_t track, int64_t at_ps, uint32_t depth);

/* Something took that time, on behalf of whoever the current cause is; `what` is static text. Of
 * it is kept what lies in windows. */
static inline void watch_slice(uint32_t track, int64_t start_ps, int64_t end_ps, const char *what)
{
	if (track != 0)
		watch_add_slice(track, start_ps, end_ps, what);
}

/* From now on a queue holds so many. In the order of time. */
static inline void watch_depth(uint32_t track, int64_t at_ps, uint32_t depth)
{
	if (track != 0)
		watch_add_depth(track, at_ps, depth);
}

/* A slice of an operation, whole. */
void watch_slice_of(uint32_t track, uint32_t operation, int64_t start_ps, int64_t end_ps,
	const char *what);

/* Ends all counters. Valid as long as the process; NULL: nobody watched. */
const struct watched *watch_end(void);

#endif
