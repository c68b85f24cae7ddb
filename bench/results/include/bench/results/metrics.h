/* Computes metrics from operations: latencies per kind of operation, and per step for kinds with
 * several steps; exact percentiles (nearest rank: the smallest value that at least p of all values
 * do not exceed), throughput, histograms. Warm-up operations are left out.
 * analysis/metrics/metric.def lists the metrics. */
#ifndef BENCH_METRICS_H
#define BENCH_METRICS_H

#include <stdint.h>

#include "analysis/metrics/metric.h"
#include "base/arena.h"
#include "bench/results/results.h"

struct metrics {
	struct metric_row *metrics;
	struct kind_row *kinds;
	struct histogram_row *histograms;
	uint32_t metric_count, kind_count, histogram_count;
};

/* Names of the steps of operations, by number of step. NULL: none. */
struct step_names {
	const char *const *names;
	uint32_t count;
};

/* Computes all metrics; the rows live in `arena`. If several steps of different names make
 * operations of one kind, there are rows for the kind and for each step, as "KIND/NAME". If
 * operations of one name are of several meshes, there are rows for each mesh: "NAME of MESH". */
void metrics_compute(struct metrics *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena);

/* Makes operations of rows; they point into the rows and into `steps`. Everything else lives in
 * `arena`. */
void metrics_operations(struct operations *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena);

/* While operations are recorded: true if the end of `later` (`op`, or an operation after it) was
 * seen and completes `op`, by the rule of operations_link(). */
bool metric_ends_completion(const struct op_row *op, const struct op_row *later);

/* Log-linear histogram of non-negative 64-bit values: 7 sub-bucket bits, so every bucket is at most
 * 1/128 (0.8 %) of its values wide; below 256 it is exact. Merged by addition. Negative values
 * abort. Empty histograms are all zeros. */

enum {
	HISTOGRAM_SUB_BITS = 7,
	HISTOGRAM_BUCKETS = (64 - HISTOGRAM_SUB_BITS) << HISTOGRAM_SUB_BITS
};

/* Bucket of a value, and the half-open range [lower, upper) of a bucket. */
uint32_t histogram_bucket(int64_t value);
int64_t histogram_lower(uint32_t bucket);
int64_t histogram_upper(uint32_t bucket);

#endif
