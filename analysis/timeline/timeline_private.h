/* The functions that draw one run as a picture, each with one kind of tracks. Only for files of
 * this folder. */
#ifndef ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H
#define ANALYSIS_TIMELINE_TIMELINE_PRIVATE_H

#include "analysis/operations/operations.h"
#include "analysis/read/run_tables.h"
#include "picture.h"

struct timeline {
	struct arena *arena;
	struct picture *picture;
	struct operations operations;
	struct dataset rows; /* rows of /ops, for columns that are not in `operations` */
	struct run_tables run;
	struct run_trace trace;
	int64_t end; /* end of the simulation */
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
