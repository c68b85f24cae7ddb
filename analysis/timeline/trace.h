/* A trace to be written: processes, tracks of slices, counters. Slices of one track may overlap:
 * they are laid into lanes, and each lane becomes a track of the file. */
#ifndef ANALYSIS_TIMELINE_TRACE_H
#define ANALYSIS_TIMELINE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

struct trace_argument {
	const char *key;
	const char *text; /* NULL: a number */
	int64_t number;
};

enum { TRACE_ARGUMENTS_MAX = 8 };

enum flow { FLOW_NONE, FLOW_START, FLOW_STEP, FLOW_END };

struct trace_slice {
	int64_t start, end; /* ps */
	const char *name;
	enum flow flow;
	uint64_t flow_id;
	struct trace_argument arguments[TRACE_ARGUMENTS_MAX]; /* duration_ps comes by itself */
	uint32_t argument_count;
};

struct trace; /* in an arena */

struct trace *trace_new(struct arena *arena);

/* Adds a process, or a track or counter of one. Names are copied. Give their number. */
uint32_t trace_process(struct trace *trace, const char *name);
uint32_t trace_track(struct trace *trace, uint32_t process, const char *name);
uint32_t trace_counter(struct trace *trace, uint32_t process, const char *name);

/* Adds a slice (copied, texts are not) to a track. Its end may not lie before its start. */
void trace_slice(struct trace *trace, uint32_t track, const struct trace_slice *slice);

/* Adds an argument to a slice that is being made. */
void trace_number(struct trace_slice *slice, const char *key, int64_t number);
void trace_text(struct trace_slice *slice, const char *key, const char *text);

/* From `time` on the counter is larger by `step`. In any order. */
void trace_count(struct trace *trace, uint32_t counter, int64_t time, int64_t step);

/* Appends the trace as Perfetto's protobuf, or as Chrome's JSON. Same trace, same bytes. */
void trace_write_perfetto(struct trace *trace, struct text *out);
void trace_write_chrome(struct trace *trace, struct text *out);

/* True if a file that starts with these bytes is a trace that the functions above wrote. */
bool trace_is_perfetto(const char *head, size_t length);
bool trace_is_chrome(const char *head, size_t length);

#endif
