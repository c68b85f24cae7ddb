/* The points of a sweep: runs with the same swept keys and different seeds, reduced to what
 * comparisons need. */
#ifndef ANALYSIS_COMPARE_SWEEP_POINTS_H
#define ANALYSIS_COMPARE_SWEEP_POINTS_H

#include "analysis/operations/samples.h"
#include "analysis/operations/statistics.h"

struct point_stages {
	bool known;
	double time[STAGE_COUNT]; /* mean of an operation, ps */
};

struct sweep_point {
	const char **keys; /* texts, in the order of the swept columns */
	uint64_t row;	   /* of the first of its runs */
	uint32_t seeds;
	bool good; /* all its runs are ok and have samples */
	const char *status;
	bool exact;	       /* its runs have no noise: few samples are enough */
	struct sorted samples; /* of the metric, of all seeds */
	struct point_stages stages;
	double throughput;   /* operations per simulated second, mean over seeds */
	double host_cpu;     /* time on cores, spinning included, by operations; ps */
	uint64_t operations; /* of the kind, all that the runs made */
};

struct sweep_points {
	struct sweep_point *at;
	uint32_t count;
	const char *kind;
	enum metric metric;
	uint32_t which; /* statistic */
};

/* Metric names as "latency", "latency.p99", "round.mean"; NULL: `round` or `latency`, median. False
 * with a sentence in `why`. */
bool sweep_points_read(struct summary *summary, const char *kind, const char *metric,
	struct arena *arena, struct sweep_points *points, struct text *why);

/* One run of another file, as points of `like` are: for runs made on the way. */
bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why);

double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point);

#endif
