/* From operations to numbers: latencies per kind of operation, exact percentiles (nearest rank:
 * the smallest value that at least p of all values do not exceed), throughput, histograms. Leaves
 * warm-up operations out. The metrics are defined in bench/results/results.h. */
#ifndef BENCH_METRICS_H
#define BENCH_METRICS_H

#include "base/arena.h"
#include "bench/results/results.h"

struct metrics {
	struct metric_row *metrics;
	struct kind_row *kinds;
	struct histogram_row *histograms;
	uint32_t metric_count, kind_count, histogram_count;
};

/* Computes everything; the rows live in `arena`. */
void metrics_compute(
	struct metrics *out, const struct op_row *ops, uint32_t op_count, struct arena *arena);

/* Names of the metrics, in the order of the summary's columns; NULL behind the last. */
const char *metric_name(uint32_t index);

/* Value of metric `index` for one operation, ps; -1 if the operation has none. */
int64_t metric_value(const struct op_row *op, uint32_t index);

/* The metric `round`, which takes two: from an operation's call to that of the next operation of
 * the same step, ps; -1 if there is none (`next` is NULL). */
int64_t metric_round(const struct op_row *op, const struct op_row *next);

#endif
