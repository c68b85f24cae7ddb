/* What the files of `timeline` share. */
#ifndef ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H
#define ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H

#include "analysis/operations/operations.h"
#include "trace.h"

struct timeline {
	struct arena *arena;
	struct trace *trace;
	struct operations operations;
	struct data_table rows; /* /runs/N/ops, for what operations do not hold */
	struct view_run run;
	int64_t end; /* of the simulation */
};

/* Tracks of threads, command queues and stages, with the operations in them. */
void timeline_operations(struct timeline *timeline);

/* Tracks of what the file has only sums of. */
void timeline_sums(struct timeline *timeline);

#endif
