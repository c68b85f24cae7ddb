/* Measures the operations of a run. The metric follows from how the workload waits for its
 * operations (docs/verdicts.md). If it waits for each operation, the metric is the time from call
 * to completion. If several operations are in flight, the metric is the steady interval between
 * completions; if there is no steady state, the result has the number of operations that would
 * probably reach one. For transfers, the metric is the time per byte. */
#ifndef ANALYSIS_OPERATIONS_MEASURE_H
#define ANALYSIS_OPERATIONS_MEASURE_H

#include "analysis/metrics/completions.h"
#include "analysis/operations/statistics.h"
#include "analysis/operations/path.h"

/* The sorted values of one metric over the operations of one kind. For each value, the stages that
 * it consists of can be found. */

struct sample {
	int64_t value;
	uint32_t index; /* index of the operation */
};

struct samples {
	struct sample *at; /* sorted by value, then by operation */
	uint32_t count;
};

/* Returns the default kind of operation for a question. This is enqueue_workload if the run has
 * such operations, else the kind with the most measured operations. Returns "" if the run has no
 * operations. */
const char *samples_kind(const struct operations *operations);

/* Returns the default subject of a question about a kind, in `arena`. If the operations of the kind
 * come from one step, this is the kind itself. If they come from several steps, it is "KIND/NAME"
 * with the step that was called most. */
const char *samples_subject(
	const struct operations *operations, const char *kind, struct arena *arena);

/* Returns METRIC_ROUND if a step of the kind was called at least twice; only then is there a round,
 * which lasts from one call of a step to the next. If not, returns METRIC_LATENCY. */
enum metric samples_metric(const struct operations *operations, const char *kind);

/* Measured operations (warm-up left out) of `kind` that have the metric; in `arena`. */
struct samples samples_take(const struct operations *operations, const char *kind,
	enum metric metric, struct arena *arena);

/* Returns the sample at a percentile (nearest rank), that is, the smallest value that is not
 * exceeded by `per_mille` of all values. There must be at least one sample. */
const struct sample *samples_at(const struct samples *samples, uint32_t per_mille);

/* Sets *sum and *total to the sums of the stages and of the values of all samples. Divided by the
 * number of samples, these are the means. Returns false if a value cannot be split into stages. */
bool samples_sum(const struct operations *operations, const struct samples *samples,
	enum metric metric, struct split *sum, int64_t *total);

enum measure_mode {
	MEASURE_EACH,	  /* waited for one by one: METRIC_COMPLETION */
	MEASURE_FLIGHT,	  /* in flight: interval between completions */
	MEASURE_TRANSFER, /* moves data: time per MEASURE_BYTES */
	MEASURE_OPEN,	  /* arrives at a rate, and is not waited for: METRIC_LATENCY */
	MEASURE_ASKED,	  /* the metric that the user chose */
};

/* Times of transfers are given for this many bytes, so that whole picoseconds are exact enough. */
#define MEASURE_BYTES (UINT64_C(1) << 20)

struct measured {
	uint32_t operations;  /* measured operations, without warm-up */
	uint64_t bytes;	      /* bytes that these operations moved */
	uint32_t in_flight;   /* the most operations whose completion the host learned at once */
	struct sorted values; /* values of the metric, ps: by operation, or by batch */
	double interval;      /* mean between completions, ps: steady if possible; 0: unknown */
	int64_t makespan;     /* from the first call, or from the end of the warm-up if that is
				 later, to the last completion, ps; -1: unknown */
	double offered;	      /* interval between arrivals of an open loop, ps; 0: closed */
	bool saturated;	      /* completions are slower than arrivals */
	uint32_t needed;      /* operations for a steady state; 0: it has one or needs none */
	bool has_stages;
	double stages[STAGE_COUNT]; /* mean of an operation, ps */
	double host_cpu;	    /* time on cores, mean of an operation, ps; -1: unknown */
};

/* Returns the time that all host threads spent on cores while the operations of `subject` ran, in
 * ps by operation; -1 if it is unknown. It begins with the call of the first one, and ends with the
 * return of the call by which the host knew that the last one was complete. So work before and
 * behind does not count, unless it is of the same kind and in flight at the end; what other threads
 * do at the same time does. Warm-up is left out, unless `warmup` is set: with operations in flight,
 * that of the warm-up would otherwise count for those behind it. */
double measure_host_cpu(const struct operations *operations, const char *subject, bool warmup);

/* Returns the mode that follows from how the workload waits for the operations of `subject`. */
enum measure_mode measure_mode_of(const struct operations *operations, const char *subject);

/* The same, for the rounds of a loop that calls `subject`, which move no data for their own sake.
 */
enum measure_mode measure_mode_of_rounds(const struct operations *operations, const char *subject);

/* Measures the operations of `subject` in the mode `mode`, and fills in *measured. `metric` is used
 * only in the mode MEASURE_ASKED. Arrays are in `arena`. */
void measure_take(const struct operations *operations, const char *subject, enum measure_mode mode,
	enum metric metric, struct arena *arena, struct measured *measured);

/* Returns the name of the metric of a mode: "completion", "interval", "transfer" or "latency"; for
 * MEASURE_ASKED, the name of `metric`. */
const char *measure_name(enum measure_mode mode, enum metric metric);

#endif
