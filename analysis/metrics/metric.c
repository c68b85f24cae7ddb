/* Computes the values of metrics, and finds metrics by their names (metric.h). */
#include "analysis/metrics/metric.h"

#include <string.h>

#include "base/nearest.h"

enum { METRIC_MARKS_MAX = 8 };

enum metric_from { FROM_CALL, FROM_FIRST };

static const struct {
	enum metric_from from;
	/* the metric ends at the first of these marks that was passed */
	enum mark_point marks[METRIC_MARKS_MAX];
	uint32_t mark_count;
} metrics[METRIC_COUNT] = {
#define X(NAME, name, from, what, ...)                                                             \
	[METRIC_##NAME] = {FROM_##from, {__VA_ARGS__},                                             \
		sizeof((enum mark_point[]){__VA_ARGS__}) / sizeof(enum mark_point)},
#include "analysis/metrics/metric.def"
#undef X
};

const char *const metric_names[METRIC_COUNT] = {
#define X(NAME, name, from, what, ...) [METRIC_##NAME] = name,
#include "analysis/metrics/metric.def"
#undef X
	[METRIC_COMPLETION] = "completion",
	[METRIC_ROUND] = "round",
};

static const char metric_list[] = "round, completion"
#define X(NAME, name, from, what, ...) ", " name
#include "analysis/metrics/metric.def"
#undef X
	;

enum metric metric_named(const char *name)
{
	int metric = 0;

	while (metric < METRIC_COUNT && strcmp(metric_names[metric], name) != 0)
		metric++;
	return (enum metric)metric;
}

const char *metric_nearest(const char *text, bool figures)
{
	static const char *const others[] = {
		"interval", "bandwidth", "throughput", "makespan", "host_cpu"};
	char name[64] = "";
	size_t length = strcspn(text, ".");
	struct nearest nearest;

	if (length >= sizeof name)
		return NULL;
	memcpy(name, text, length);
	nearest_start(&nearest, name);
	for (int i = 0; i < METRIC_COUNT; i++)
		nearest_offer(&nearest, metric_names[i]);
	for (int i = 0; i < (figures ? 5 : 2); i++)
		nearest_offer(&nearest, others[i]);
	return nearest.best && strcmp(nearest.best, name) != 0 ? nearest.best : NULL;
}

void metric_say_unknown(struct text *why, const char *name, bool figures)
{
	text_printf(why,
		"no metric '%s'; there are\n"
		"  %s,\n"
		"    each with .p50 (default), .p90, .p99, .p99_9, .max or .mean;\n"
		"  interval and bandwidth%s",
		name, metric_list, figures ? "; throughput, makespan and host_cpu" : "");
}

bool metric_has_stages(enum metric metric)
{
	return metrics[metric].from == FROM_CALL;
}

enum mark_point metric_end(const struct op_mark *marks, enum metric metric)
{
	for (uint32_t i = 0; i < metrics[metric].mark_count; i++)
		if (marks[metrics[metric].marks[i]].last >= 0)
			return metrics[metric].marks[i];
	return MARK_POINT_COUNT;
}

/* Returns the time at which operation `index` passed a mark; -1 if it did not pass the mark, or if
 * there is no such operation. */
static int64_t passed(const struct operations *operations, uint32_t index, enum mark_point mark)
{
	return index < operations->count && mark < MARK_POINT_COUNT
		       ? operations->at[index].marks[mark].last
		       : -1;
}

bool metric_window(const struct operations *operations, uint32_t index, enum metric metric,
	struct metric_window *window)
{
	const struct operation *operation = &operations->at[index];

	window->start = passed(operations, index, MARK_CALLED);
	window->index = index;
	if (operation->arrival >= 0 && (metric == METRIC_COMPLETION || metric == METRIC_LATENCY))
		window->start = operation->arrival;
	if (metric == METRIC_COMPLETION) {
		window->last = MARK_SEEN;
		window->index = operations->waiter[index];
	} else {
		window->last =
			metric == METRIC_ROUND ? MARK_CALLED : metric_end(operation->marks, metric);
	}
	window->end = passed(operations,
		metric == METRIC_ROUND ? operations->next[index] : window->index, window->last);
	return window->start >= 0 && window->end >= window->start;
}

int64_t metric_value(const struct operations *operations, uint32_t index, enum metric metric)
{
	struct metric_window window;

	if (!metric_window(operations, index, metric, &window))
		return -1;
	if (metric_has_stages(metric))
		return window.end - window.start;
	/* Here the metric is the skew: the time from the first to the last chip that passes a mark.
	 * A transfer has no skew at MARK_DISPATCHED: its data are sent one after another, so this
	 * time would include the time of sending. */
	if (operations->at[index].bytes > 0 && window.last == MARK_DISPATCHED)
		return -1;
	return window.end - operations->at[index].marks[window.last].first;
}
