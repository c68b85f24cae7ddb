/* From operations to numbers: latencies per kind of operation, and per step of kinds that have
 * several; exact percentiles (nearest rank: the smallest value that at least p of all values do not
 * exceed), throughput, histograms. Leaves warm-up operations out. The metrics are those of
 * bench/results/metric.def. */
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

/* What the steps of operations are called, by number of step. NULL: they have no names. */
struct step_names {
	const char *const *names;
	uint32_t count;
};

/* Computes everything; the rows live in `arena`. A kind that several steps of different names make
 * has rows of its own and, as "KIND/NAME", for each of them. Where operations of one name are of
 * several meshes, each has its own: "NAME of MESH". */
void metrics_compute(struct metrics *out, const struct op_row *ops, uint32_t op_count,
	const struct step_names *steps, struct arena *arena);

/* Names of the metrics, in the order of the summary's columns; NULL behind the last. The first
 * metric_count() are those of one operation (metric.def). */
const char *metric_name(uint32_t index);
uint32_t metric_count(void);

/* Value of metric `index` for one operation, ps; -1 if the operation has none. */
int64_t metric_value(const struct op_row *op, uint32_t index);

/* The names of the metrics that take several operations, which stand behind those. */
#define METRIC_COMPLETION_NAME "completion"
#define METRIC_ROUND_NAME      "round"

/* Where latency and completion count from: the call, or when an open loop meant it to be, ps. */
int64_t metrics_start(const struct op_row *op);

/* Fills `known` with when the host knew that each operation was complete, ps; -1: never: it saw it,
 * or what it saw next on the same queue was enqueued behind it. */
void metrics_known(const struct op_row *ops, uint32_t op_count, int64_t *known);

/* The same of two operations, while they are recorded: what is seen of `later` completes `op`. */
static inline bool metric_ends_completion(const struct op_row *op, const struct op_row *later)
{
	return later->queue == op->queue && later->marks[MARK_SEEN].count > 0;
}

/* The mark (enum mark_point) whose last passage ends metric `index` of an operation that begins
 * with its call; -1: none. */
int metric_end(const struct op_row *op, uint32_t index);

/* Fills `next` with the operation whose call ends each one's round: the next of the same step;
 * `op_count`: none. */
void metrics_next(const struct op_row *ops, uint32_t op_count, uint32_t *next);

/* The metric `round`: from an operation's call to that of the next operation of the same step, ps;
 * -1 if there is none (`next` is NULL). */
int64_t metric_round(const struct op_row *op, const struct op_row *next);

#endif
