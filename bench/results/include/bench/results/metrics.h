/* Computes metrics from operations: latencies per kind of operation, and per step for kinds with
 * several steps; exact percentiles (nearest rank: the smallest value that at least p of all values
 * do not exceed), throughput, histograms. Warm-up operations are left out. bench/results/metric.def
 * lists the metrics. */
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

/* Names of the metrics, in the order of the summary's columns; NULL past the last. The first
 * metric_count() are metrics of a single operation (metric.def). */
const char *metric_name(uint32_t index);
uint32_t metric_count(void);

/* Value of metric `index` for one operation, ps; -1 if the operation has none. */
int64_t metric_value(const struct op_row *op, uint32_t index);

/* The names of the metrics of several operations, which follow those. */
#define METRIC_COMPLETION_NAME "completion"
#define METRIC_ROUND_NAME      "round"

/* Start of latency and completion in ps: the call, or in an open loop the time when it was due. */
int64_t metrics_start(const struct op_row *op);

/* Fills `known` with the time in ps at which the host knew that each operation was complete; -1:
 * never. It knows when it sees the operation's end, or that of a later one on the same queue. */
void metrics_known(const struct op_row *ops, uint32_t op_count, int64_t *known);

/* The same for two operations while they are recorded: true if seeing the end of `later` completes
 * `op`. */
static inline bool metric_ends_completion(const struct op_row *op, const struct op_row *later)
{
	return later->queue == op->queue && later->marks[MARK_SEEN].count > 0;
}

/* The mark (enum mark_point) whose last passage ends metric `index` of an operation that begins
 * with its call; -1: none. */
int metric_end(const struct op_row *op, uint32_t index);

/* Fills `next` with the operation whose call ends the round of each one: the next operation of the
 * same step; `op_count`: none. */
void metrics_next(const struct op_row *ops, uint32_t op_count, uint32_t *next);

/* The metric `round`: from an operation's call to that of the next operation of the same step, ps;
 * -1 if there is none (`next` is NULL). */
int64_t metric_round(const struct op_row *op, const struct op_row *next);

#endif
