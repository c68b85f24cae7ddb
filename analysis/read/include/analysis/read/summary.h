/* A result file as `show` sees it: the summary's columns sorted by what they are, and per run the
 * sums over its threads, links, stages and queues. */
#ifndef ANALYSIS_READ_SUMMARY_H
#define ANALYSIS_READ_SUMMARY_H

#include "analysis/read/result.h"

enum { VIEW_KINDS_MAX = 64, VIEW_METRICS_MAX = 16, VIEW_PERCENTILES = 5 };

/* Columns of one metric of one kind of operation: p50, p90, p99, p99_9, max. */
struct view_metric {
	const char *name;
	const struct data_column *percentiles[VIEW_PERCENTILES];
};

/* "p50", "p90", "p99", "p99.9", "max". */
extern const char *const view_percentile_names[VIEW_PERCENTILES];

struct view_kind {
	const char *name;
	const struct data_column *count, *throughput;
	struct view_metric metrics[VIEW_METRICS_MAX];
	uint32_t metric_count;
};

struct view {
	struct result *result;
	struct data_table summary;
	const struct data_column *run, *status, *seed;
	uint32_t swept_first, swept_count; /* columns of the summary */
	uint32_t total_first, total_count;
	struct view_kind kinds[VIEW_KINDS_MAX];
	uint32_t kind_count;
};

/* Opens `path` and sorts its columns. False with a sentence in `why`. */
bool view_open(struct view *view, const char *path, struct text *why);

void view_close(struct view *view);

/* The last part of a swept key's name if no other ends alike, else all of it. */
const char *view_short_name(const struct view *view, uint32_t index);

/* Tables of one run; those that it lacks are empty. */
struct view_run {
	struct data_table threads, links, cores, queues, work;
};

/* Reads them for row `row` of the summary. False with a sentence in `why`. */
bool view_read_run(struct view *view, uint64_t row, struct arena *arena, struct view_run *run,
	struct text *why);

/* Path of a row's group, "/runs/000003"; in the result's memory. */
const char *view_group(struct view *view, uint64_t row);

/* Sum of a column over all rows. */
double view_sum(const struct data_table *table, const char *column);

/* Row with the largest value of a column, or -1 if there are none or all are 0. */
int64_t view_largest(const struct data_table *table, const char *column);

/* Stages of one role over all chips. Times in ps. */
struct view_role {
	const char *name;
	uint64_t count;
	double steps, busy, busy_most, blocked, blocked_most, utilization_most;
	int64_t chip_most; /* of the busiest */
};

/* Roles of the table of cores, in the order of their first rows; in `arena`. */
struct view_role *view_roles(
	const struct data_table *cores, struct arena *arena, uint32_t *role_count);

#endif
