/* A picture of a run. It consists of processes. A process has tracks and counters, and a track has
 * slices. Slices of one track may overlap. They are distributed over several lanes, so that slices
 * of one lane do not overlap, and each lane becomes a track of the output file. */
#ifndef ANALYSIS_TIMELINE_PICTURE_H
#define ANALYSIS_TIMELINE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/operations/operations.h"
#include "analysis/read/run_tables.h"
#include "base/arena.h"
#include "base/text.h"

struct picture_argument {
	const char *key;
	const char *text; /* NULL: the value is a number */
	int64_t number;
};

enum { PICTURE_ARGUMENTS_MAX = 8 };

enum flow { FLOW_NONE, FLOW_START, FLOW_STEP, FLOW_END };

struct picture_slice {
	int64_t start, end; /* ps */
	const char *name;
	enum flow flow;
	uint64_t flow_id;
	struct picture_argument arguments[PICTURE_ARGUMENTS_MAX]; /* all but duration_ps */
	uint32_t argument_count;
};

struct picture; /* in an arena */

struct picture *picture_new(struct arena *arena);

/* Add a process, or a track or a counter of a process, and return its number. Names are copied. */
uint32_t picture_process(struct picture *picture, const char *name);
uint32_t picture_track(struct picture *picture, uint32_t process, const char *name);
uint32_t picture_counter(struct picture *picture, uint32_t process, const char *name);

/* Adds a copy of a slice to a track, with the additional argument duration_ps. Does not copy the
 * texts of the slice. The slice must not end before it starts. */
void picture_slice(struct picture *picture, uint32_t track, const struct picture_slice *slice);

/* Add an argument to a slice that is not yet in the picture. */
void picture_number(struct picture_slice *slice, const char *key, int64_t number);
void picture_text(struct picture_slice *slice, const char *key, const char *text);

/* Increases a counter by `step` from `time` (ps) on. Times may come in any order. */
void picture_count(struct picture *picture, uint32_t counter, int64_t time, int64_t step);

/* Both functions append the picture to `out`: as Perfetto's protobuf, or as Chrome's JSON. Equal
 * pictures give equal bytes. */
void picture_write_perfetto(struct picture *picture, struct text *out);
void picture_write_chrome(struct picture *picture, struct text *out);

/* True if a file that starts with these bytes is a picture that the functions above wrote. */
bool picture_is_perfetto(const char *head, size_t length);
bool picture_is_chrome(const char *head, size_t length);

/* The plan of a picture that its writers print: lanes and sorted events. */
struct picture_lane {
	uint32_t process;
	const char *name;
	bool is_counter;
};

/* Events are sorted by time. Events of one lane at the same time keep the order of its slices. */
enum event_kind { EVENT_BEGIN, EVENT_END, EVENT_COUNT };

struct picture_event {
	int64_t time;
	enum event_kind kind;
	uint32_t lane;
	int64_t value;			   /* value of a counter */
	const struct picture_slice *slice; /* slice that begins or ends */
};

struct picture_plan {
	const char *const *processes;
	uint32_t process_count;
	struct picture_lane *lanes; /* lanes in the order of processes and tracks */
	uint32_t lane_count;
	struct picture_event *events;
	uint64_t event_count;
};

/* Lays slices into lanes and sorts the events. The plan lives as long as the picture. */
struct picture_plan picture_plan(struct picture *picture);

/* The functions below draw one run as a picture. Each function draws one kind of track. Only files
 * of this folder use them. */

struct timeline {
	struct arena *arena;
	struct picture *picture;
	struct operations operations;
	struct dataset rows; /* rows of /ops; used for columns that are not in `operations` */
	struct run_tables run;
	struct run_trace trace;
	int64_t end; /* time at which the simulation ends */
};

/* Adds tracks of threads, command queues and stages, with the operations in them. */
void timeline_operations(struct timeline *timeline);

/* Adds tracks of everything that measure.trace recorded over time. */
void timeline_trace(struct timeline *timeline);

/* Adds a track of printed values for each processor whose kernels printed. */
void timeline_prints(struct timeline *timeline);

/* Adds a track of log lines for each thread that logged. */
void timeline_log(struct timeline *timeline);

/* Adds tracks of quantities that the file holds only as sums over the run. */
void timeline_sums(struct timeline *timeline);

#endif
