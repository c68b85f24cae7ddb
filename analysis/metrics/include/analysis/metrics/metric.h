/* Metrics of operations, in ps. There are the metrics of metric.def, and
 *   completion  from the call until the host knew that the operation was complete. The host learns
 *               this from the completion of the operation, or from that of a later operation on the
 *               same queue, such as a finish, or on another queue that waited for its event
 *   round       from the call to the next call of the same step
 * In an open loop, completion and latency begin when the operation was due.
 *
 * Result files use the order of enum metric: it numbers the metrics in the column `metric` of the
 * table `paths`, and it is the order of the metrics' columns in the other tables. */
#ifndef ANALYSIS_METRICS_METRIC_H
#define ANALYSIS_METRICS_METRIC_H

#include "analysis/metrics/operation.h"

enum metric {
#define X(NAME, name, from, what, ...) METRIC_##NAME,
#include "analysis/metrics/metric.def"
#undef X
	METRIC_COMPLETION,
	METRIC_ROUND,
	METRIC_COUNT
};

extern const char *const metric_names[METRIC_COUNT];

/* The names of all metrics for messages: "round, completion, host, ..., latency". */
extern const char metric_list[];

/* The metric of that name; METRIC_COUNT if there is none. */
enum metric metric_named(const char *name);

/* The name of a metric that is nearest to one that does not exist, "host_cpu" for "hostcpu"; its
 * statistic, as in ".p99", is not looked at. NULL if none is near, or if the name exists. Figures
 * of whole runs are names, too, if `figures` is set. The text is static. */
const char *metric_nearest(const char *text, bool figures);

/* True if a metric can be split into stages: all but skew, the time between chips. */
bool metric_has_stages(enum metric metric);

/* Returns the mark at which a metric of an operation ends: the first of the metric's marks in
 * metric.def that the operation passed, or MARK_POINT_COUNT if it passed none. Must not be called
 * for completion or round. */
enum mark_point metric_end(const struct op_mark *marks, enum metric metric);

/* The time that a metric of operation `index` covers. */
struct metric_window {
	int64_t start, end;
	enum mark_point last; /* mark that ends it; CALLED: the next call of the step */
	uint32_t index;	      /* operation that passed the mark (CALLED: the one before it) */
};

/* Fills `window`. False if the operation does not have the metric. */
bool metric_window(const struct operations *operations, uint32_t index, enum metric metric,
	struct metric_window *window);

/* Value of a metric of operation `index`, ps; -1 if it has none. */
int64_t metric_value(const struct operations *operations, uint32_t index, enum metric metric);

#endif
