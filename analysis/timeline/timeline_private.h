/* One run on its way into a picture. */
#ifndef ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H
#define ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H

#include "analysis/operations/operations.h"
#include "analysis/read/run_tables.h"
#include "picture.h"

struct timeline {
	struct arena *arena;
	struct picture *picture;
	struct operations operations;
	struct dataset rows; /* of /ops, for what operations do not hold */
	struct run_tables run;
	struct run_trace trace;
	int64_t end; /* of the simulation */
};

/* Tracks of threads, command queues and stages, with the operations in them. */
void timeline_operations(struct timeline *timeline);

/* Tracks of what was recorded over time. */
void timeline_trace(struct timeline *timeline);

/* Tracks of what kernels printed, one for each processor that did. */
void timeline_prints(struct timeline *timeline);

/* Tracks of what the file has only sums of. */
void timeline_sums(struct timeline *timeline);

#endif
