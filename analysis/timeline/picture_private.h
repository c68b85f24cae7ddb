/* The plan of a picture that its writers print: lanes and sorted events. */
#ifndef ANALYSIS_TIMELINE_PICTURE_PRIVATE_H
#define ANALYSIS_TIMELINE_PICTURE_PRIVATE_H

#include "picture.h"

struct picture_lane {
	uint32_t process;
	const char *name;
	bool is_counter;
};

/* Events are sorted by time. Those of one lane at the same time keep the order of its slices. */
enum event_kind { EVENT_BEGIN, EVENT_END, EVENT_COUNT };

struct picture_event {
	int64_t time;
	enum event_kind kind;
	uint32_t lane;
	int64_t value;			   /* of a counter */
	const struct picture_slice *slice; /* of begin and end */
};

struct picture_plan {
	const char *const *processes;
	uint32_t process_count;
	struct picture_lane *lanes; /* in the order of processes and tracks */
	uint32_t lane_count;
	struct picture_event *events;
	uint64_t event_count;
};

/* Lays slices into lanes and sorts the events. The plan lives as long as the picture. */
struct picture_plan picture_plan(struct picture *picture);

#endif
