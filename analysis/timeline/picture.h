/* A picture to be written: processes, tracks of slices, counters. Slices of one track may overlap:
 * they are laid into lanes, and each lane becomes a track of the file. */
#ifndef ANALYSIS_TIMELINE_PICTURE_H
#define ANALYSIS_TIMELINE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

struct picture_argument {
	const char *key;
	const char *text; /* NULL: a number */
	int64_t number;
};

enum { PICTURE_ARGUMENTS_MAX = 8 };

enum flow { FLOW_NONE, FLOW_START, FLOW_STEP, FLOW_END };

struct picture_slice {
	int64_t start, end; /* ps */
	const char *name;
	enum flow flow;
	uint64_t flow_id;
	struct picture_argument arguments[PICTURE_ARGUMENTS_MAX]; /* duration_ps comes by itself */
	uint32_t argument_count;
};

struct picture; /* in an arena */

struct picture *picture_new(struct arena *arena);

/* Adds a process, or a track or counter of one. Names are copied. Give their number. */
uint32_t picture_process(struct picture *picture, const char *name);
uint32_t picture_track(struct picture *picture, uint32_t process, const char *name);
uint32_t picture_counter(struct picture *picture, uint32_t process, const char *name);

/* Adds a slice (copied, texts are not) to a track. Its end may not lie before its start. */
void picture_slice(struct picture *picture, uint32_t track, const struct picture_slice *slice);

/* Adds an argument to a slice that is being made. */
void picture_number(struct picture_slice *slice, const char *key, int64_t number);
void picture_text(struct picture_slice *slice, const char *key, const char *text);

/* From `time` on the counter is larger by `step`. In any order. */
void picture_count(struct picture *picture, uint32_t counter, int64_t time, int64_t step);

/* Appends the picture as Perfetto's protobuf, or as Chrome's JSON. Same picture, same bytes. */
void picture_write_perfetto(struct picture *picture, struct text *out);
void picture_write_chrome(struct picture *picture, struct text *out);

/* True if a file that starts with these bytes is a picture that the functions above wrote. */
bool picture_is_perfetto(const char *head, size_t length);
bool picture_is_chrome(const char *head, size_t length);

#endif
