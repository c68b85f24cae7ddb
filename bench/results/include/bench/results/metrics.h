/* Computes metrics from operations: latencies, throughput and histograms. They are computed for
 * each kind of operation, and also for each step if the kind has several steps. Percentile p is
 * exact: it is the smallest value for which at least p percent of all values are equal or smaller
 * (nearest rank). Warm-up operations are left out. analysis/metrics/metric.def lists the
 * metrics. */
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

/* Names of the steps of operations, by number of step. NULL: the step has no name. */
struct step_names {
	const char *const *names;
	uint32_t count;
};

/* Computes all metrics. There are rows for each kind of operation. If steps with different names
 * have the same kind, there are also rows for each of these steps, "KIND/NAME". If steps with the
 * same name run on several meshes, there are rows for each mesh, "KIND/NAME of MESH". The rows are
 * allocated in `arena`. */
void metrics_compute(struct metrics *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena);

/* Converts rows to operations. The texts of the operations are those of the rows and of `steps`,
 * which must exist as long as the operations. Everything else is allocated in `arena`. */
void metrics_operations(struct operations *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena);

enum { METRIC_NEAR = 64 }; /* most calls in which metric_completed_by() searches */

/* Returns the index of the first operation whose end shows the host that operation `index` is
 * complete. This can be operation `index` itself or, if `index` belongs to a trace, the replay of
 * the trace. Uses the same rule as operations_link(), but searches only METRIC_NEAR operations,
 * beginning with `index`. Returns `count` if it finds none. May be called while operations are
 * still recorded. */
uint32_t metric_completed_by(const struct op_row *rows, uint32_t index, uint32_t count);

/* Log-linear histograms of non-negative 64-bit values. With 7 sub-bucket bits, the width of a
 * bucket is at most 1/128 (0.8 %) of its values. Values below 256 have exact buckets. Histograms
 * are merged by addition. A negative value ends the process. All zeros is an empty histogram. */

enum {
	HISTOGRAM_SUB_BITS = 7,
	HISTOGRAM_BUCKETS = (64 - HISTOGRAM_SUB_BITS) << HISTOGRAM_SUB_BITS
};

/* histogram_bucket() returns the bucket of a value. The range of a bucket is half-open: [lower,
 * upper). */
uint32_t histogram_bucket(int64_t value);
int64_t histogram_lower(uint32_t bucket);
int64_t histogram_upper(uint32_t bucket);

#endif
