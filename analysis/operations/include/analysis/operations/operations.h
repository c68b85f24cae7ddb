/* Operations of one run, as recorded: when each passed its points. Knows the points by the names of
 * their columns, so that files with fewer of them can be read. */
#ifndef ANALYSIS_OPERATIONS_OPERATIONS_H
#define ANALYSIS_OPERATIONS_OPERATIONS_H

#include "analysis/read/summary.h"

/* In the order of the dispatch path; RETURNED, which is beside it, last. */
enum point {
	POINT_CALLED,
	POINT_BUILT,
	POINT_EXPECTED,
	POINT_COPIED,
	POINT_DOORBELL,
	POINT_FETCHED,
	POINT_FORWARDED,
	POINT_SENT,
	POINT_RECEIVED,
	POINT_PREFETCHED,
	POINT_DISPATCHED,
	POINT_GO,
	POINT_WORKERS_DONE,
	POINT_ANSWERED,
	POINT_GATHERED,
	POINT_NOTIFIED,
	POINT_POLLED,
	POINT_SEEN,
	POINT_RETURNED,
	POINT_COUNT
};

/* Times in ps; -1: never passed. */
struct operation {
	const char *kind, *thread;
	uint32_t step, iteration;
	bool warmup;
	int64_t first[POINT_COUNT], last[POINT_COUNT];
	/* Of the time from the call to the last doorbell: what went into building, telling
	 * readers, copying, ringing, in turns; all -1 in files that do not say. */
	int64_t built, told, copied, rung;
};

struct operations {
	struct operation *at; /* in the order of the calls */
	uint32_t count;
	uint32_t *next; /* [i]: the next operation of the same step, or count */
};

/* Reads `group`/ops into `arena`. False with a sentence in `why`. */
bool operations_read(struct view *view, const char *group, struct arena *arena,
	struct operations *operations, struct text *why);

/* Fills `next` of operations that were made otherwise. */
void operations_link(struct operations *operations, struct arena *arena);

#endif
