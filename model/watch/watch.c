/* Storage of recorded activity (watch.h). */
#include "watch/watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "cause/cause.h"

enum { FIRST_CAPACITY = 1024 };

static struct {
	bool on;
	struct watch_window *windows; /* sorted by operation */
	struct watch_window *spans;   /* times that lie in any window, sorted and disjoint */
	uint32_t window_count, span_count;
	struct watch_track *tracks; /* the first entry is unused */
	struct watch_slice *slices;
	struct watch_depth *depths;
	uint32_t track_capacity, slice_capacity, depth_capacity;
	struct watched watched;
} watch;

static int by_start(const void *a, const void *b)
{
	const struct watch_window *x = a, *y = b;

	return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
}

static void merge_windows(void)
{
	struct watch_window *spans = watch.spans;
	uint32_t count = 0;

	qsort(spans, watch.window_count, sizeof *spans, by_start);
	for (uint32_t i = 0; i < watch.window_count; i++) {
		if (count == 0 || spans[i].start_ps > spans[count - 1].end_ps)
			spans[count++] = spans[i];
		else if (spans[i].end_ps > spans[count - 1].end_ps)
			spans[count - 1].end_ps = spans[i].end_ps;
	}
	watch.span_count = count;
}

void watch_start(const struct watch_window *windows, uint32_t count)
{
	ensure(!watch.on, "watched twice");
	watch.windows = allocate(count, sizeof *windows);
	watch.spans = allocate(count, sizeof *windows);
	for (uint32_t i = 0; i < count; i++)
		watch.windows[i] = watch.spans[i] = windows[i];
	watch.window_count = count;
	merge_windows();
	watch.on = true;
}

const struct watch_window *watch_window_of(uint32_t operation)
{
	uint32_t low = 0, high = watch.window_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (watch.windows[middle].operation == operation)
			return &watch.windows[middle];
		if (watch.windows[middle].operation < operation)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Index of the first span that ends after that time; `span_count` if there is none. */
static uint32_t first_span(int64_t at_ps)
{
	uint32_t low = 0, high = watch.span_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (watch.spans[middle].end_ps <= at_ps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for one more element. Returns the array, which may have moved. */
static void *watch_add(void *at, uint32_t *count, uint32_t *capacity, size_t size)
{
	if (*count == *capacity) {
		*capacity = *capacity ? 2 * *capacity : FIRST_CAPACITY;
		at = allocate_more(at, *capacity, size);
	}
	++*count;
	return at;
}

uint32_t watch_track(enum watch_kind kind, int32_t chip, const char *format, ...)
{
	struct watch_track track = {.kind = kind, .chip = chip};
	va_list arguments;

	if (!watch.on)
		return 0;
	va_start(arguments, format);
	vsnprintf(track.name, sizeof track.name, format, arguments);
	va_end(arguments);
	if (watch.watched.track_count == 0)
		watch.tracks = watch_add(watch.tracks, &watch.watched.track_count,
			&watch.track_capacity, sizeof track);
	watch.tracks = watch_add(
		watch.tracks, &watch.watched.track_count, &watch.track_capacity, sizeof track);
	watch.tracks[watch.watched.track_count - 1] = track;
	return watch.watched.track_count - 1;
}

void watch_slice_of(
	uint32_t track, uint32_t operation, int64_t start_ps, int64_t end_ps, const char *what)
{
	struct watched *watched = &watch.watched;

	if (track == 0 || end_ps <= start_ps)
		return;
	if (watched->slice_count == WATCH_MOST) {
		watched->lost++;
		return;
	}
	watch.slices = watch_add(
		watch.slices, &watched->slice_count, &watch.slice_capacity, sizeof *watch.slices);
	watch.slices[watched->slice_count - 1] =
		(struct watch_slice){track, operation, start_ps, end_ps, what};
}

void watch_add_slice(uint32_t track, int64_t start_ps, int64_t end_ps, const char *what)
{
	uint32_t operation = causes.on ? causes.at[causes.current].operation : 0;

	for (uint32_t i = first_span(start_ps);
		i < watch.span_count && watch.spans[i].start_ps < end_ps; i++) {
		const struct watch_window *span = &watch.spans[i];

		watch_slice_of(track, operation,
			start_ps > span->start_ps ? start_ps : span->start_ps,
			end_ps < span->end_ps ? end_ps : span->end_ps, what);
	}
}

static void put_depth(uint32_t track, int64_t at_ps, uint32_t depth)
{
	struct watched *watched = &watch.watched;

	if (watched->depth_count == WATCH_MOST) {
		watched->lost++;
		return;
	}
	watch.depths = watch_add(
		watch.depths, &watched->depth_count, &watch.depth_capacity, sizeof *watch.depths);
	watch.depths[watched->depth_count - 1] = (struct watch_depth){track, depth, at_ps};
}

/* Sets the counter of a track to 0 if its window has ended. */
static void close_window(uint32_t number, int64_t now_ps)
{
	struct watch_track *track = &watch.tracks[number];

	if (track->window_end_ps == 0 || now_ps < track->window_end_ps)
		return;
	put_depth(number, track->window_end_ps, 0);
	track->window_end_ps = 0;
}

void watch_add_depth(uint32_t number, int64_t at_ps, uint32_t depth)
{
	struct watch_track *track = &watch.tracks[number];
	uint32_t span = first_span(at_ps);

	close_window(number, at_ps);
	if (span < watch.span_count && watch.spans[span].start_ps <= at_ps) {
		if (track->window_end_ps == 0)
			put_depth(number, watch.spans[span].start_ps, track->depth);
		track->window_end_ps = watch.spans[span].end_ps;
		put_depth(number, at_ps, depth);
	}
	track->depth = depth;
}

const struct watched *watch_end(void)
{
	struct watched *watched = &watch.watched;

	if (!watch.on)
		return NULL;
	for (uint32_t i = 1; i < watched->track_count; i++)
		close_window(i, INT64_MAX);
	watched->tracks = watch.tracks;
	watched->slices = watch.slices;
	watched->depths = watch.depths;
	return watched;
}
