/* Critical paths. Splits the time of an operation, or of a round from one call to the next call
 * of the same step, into stages that sum to it to the picosecond: as the run has recorded it
 * (cause/path.h), or, where it recorded no causes, by the marks. That walk starts at the end: a
 * stage is the time between the last passages of two neighbouring marks over all devices. If the
 * host saw the completion, the path leads back through the devices; if it did not wait, the path
 * stays on the host. If an event had to wait for workers, the path continues in the operation
 * that ran on them. */
#ifndef ANALYSIS_OPERATIONS_PATH_H
#define ANALYSIS_OPERATIONS_PATH_H

#include "analysis/operations/operations.h"

enum stage {
#define X(name, label) STAGE_##name,
#include "cause/stage.def"
#undef X
	STAGE_COUNT
};

/* "host build" and the like. */
const char *stage_label(enum stage stage);

/* "build", in JSON. */
const char *stage_name(enum stage stage);

/* The stage of that label; OTHER if there is none. */
enum stage stage_of_label(const char *label);

/* What is measured of an operation, in ps: those of bench/results/metric.def, and
 *   round       its call to the next call of the same step: what a caller waits until it can go on
 *   completion  its call until the host knew that it was complete: by itself, or by what was seen
 *               to complete next on the same queue (a finish behind it) */
enum metric {
	METRIC_ROUND,
	METRIC_COMPLETION,
#define X(NAME, name, from, what, ...) METRIC_##NAME,
#include "bench/results/metric.def"
#undef X
	METRIC_COUNT
};

extern const char *const metric_names[METRIC_COUNT];

/* All names of metrics, "round, completion, host, ... or latency", for messages. */
extern const char metric_list[];

/* True if a metric's time is split into stages: all but those between chips. */
bool metric_has_stages(enum metric metric);

struct split {
	int64_t time[STAGE_COUNT];
};

/* The stage that lies between two neighbouring marks of an operation. */
enum stage path_stage(enum mark before, enum mark after);

/* The metric of operation `index`; -1 if it has none. */
int64_t path_value(const struct operations *operations, uint32_t index, enum metric metric);

/* Its stages; false if the metric has none, or the operation no value. */
bool path_split(const struct operations *operations, uint32_t index, enum metric metric,
	struct split *split);

/* The stages of the time from `start` to when operation `index` passed `mark`: the critical path of
 * all that was under way meanwhile, across operations. `each` is the time of one of them, about:
 * ways that differ by a small part of it are as good as equal. */
void path_window(const struct operations *operations, uint32_t index, enum mark mark, int64_t start,
	int64_t each, struct split *split);

/* The mark that ends a metric of an operation: the first of those that end it, of those that it
 * passed; MARK_COUNT: none. Not of round and completion. */
enum mark path_end(const struct operation *operation, enum metric metric);

#endif
