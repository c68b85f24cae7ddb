/* Metrics of operations, in ps. There are two metrics that are not in metric.def:
 *    completion  from the call until the host knew that the operation was complete. The host learns
 *                this when the operation itself completes, or when a later operation completes: one
 *                on the same queue, such as a finish, or one on another queue that waited for an
 *                event of this operation
 *    round       from the call to the next call of the same step
 * In an open loop, each operation has a time at which it is due, whether or not earlier ones are
 * complete. There, completion and latency begin at this time.
 *
 * Result files use the order of enum metric: its values are the numbers in the column `metric` of
 * the table `paths`, and the columns of metrics in other tables are in this order. */
#ifndef ANALYSIS_METRICS_METRIC_H
#define ANALYSIS_METRICS_METRIC_H

#include "analysis/metrics/operation.h"
#include "base/text.h"

enum metric {
#define X(NAME, name, from, what, ...) METRIC_##NAME,
#include "analysis/metrics/metric.def"
#undef X
	METRIC_COMPLETION,
	METRIC_ROUND,
	METRIC_COUNT
};

extern const char *const metric_names[METRIC_COUNT];

/* Returns the metric with that name, or METRIC_COUNT if there is none. */
enum metric metric_named(const char *name);

/* Returns the name of the metric that is most similar to `text`: "host_cpu" for "hostcpu". Ignores
 * the statistic in `text`, such as ".p99". Returns NULL if `text` is the name of a metric, or if no
 * name is similar. If `figures` is set, also considers the names of figures of whole runs. The
 * returned text is static. */
const char *metric_nearest(const char *text, bool figures);

/* Appends to `why` that no metric has this name, and lists all metrics, in lines of at most 80
 * columns. If `figures` is set, the list includes the figures of whole runs. */
void metric_say_unknown(struct text *why, const char *name, bool figures);

/* True if a metric can be split into stages. This is so for all metrics except skew, which is a
 * time between two chips. */
bool metric_has_stages(enum metric metric);

/* Returns the mark at which a metric of an operation ends: the first of the metric's marks in
 * metric.def that the operation passed, or MARK_POINT_COUNT if it passed none. Do not call it for
 * the metrics completion and round. */
enum mark_point metric_end(const struct op_mark *marks, enum metric metric);

/* The time that a metric of operation `index` covers. */
struct metric_window {
	int64_t start, end;
	/* mark that ends the metric; MARK_CALLED: the next call of the step */
	enum mark_point last;
	/* operation that passed `last`; if `last` is MARK_CALLED, the operation before that one */
	uint32_t index;
};

/* Fills `window`. Returns false if the operation does not have the metric. */
bool metric_window(const struct operations *operations, uint32_t index, enum metric metric,
	struct metric_window *window);

/* Returns the value of a metric of operation `index` in ps, or -1 if there is none. */
int64_t metric_value(const struct operations *operations, uint32_t index, enum metric metric);

#endif
