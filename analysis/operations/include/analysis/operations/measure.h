/* Measures the operations of a run. The metric depends on how the workload waits for its operations
 * (docs/verdicts.md). If it waits for each operation, the metric is the time from call to
 * completion. If several operations are in flight, it is the mean interval between completions in
 * the steady state; without a steady state, the result says how many operations would probably be
 * enough to reach one. For transfers, the metric is the time per byte. If operations arrive at a
 * rate, and the workload does not wait for them, the metric is the latency. */
#ifndef ANALYSIS_OPERATIONS_MEASURE_H
#define ANALYSIS_OPERATIONS_MEASURE_H

#include "analysis/metrics/completions.h"
#include "analysis/operations/statistics.h"
#include "analysis/operations/path.h"

/* The sorted values of one metric over the operations of one kind. Each value has the index of its
 * operation, from which the stages of the value can be computed. */

struct sample {
	int64_t value;
	uint32_t index; /* index of the operation that gave the sample */
};

struct samples {
	struct sample *at; /* samples, sorted by value, then by operation */
	uint32_t count;
};

/* Returns the default kind of operation for a question: enqueue_workload if the run has such
 * operations, otherwise the kind with the most measured operations. A finish or a wait for an event
 * is chosen only if there is no other kind. Returns "" if the run has no measured operations. */
const char *samples_kind(const struct operations *operations);

/* Returns the operations to examine if the user chose only a kind: the kind itself, or "KIND/NAME"
 * in `arena`. Counts the operations of the kind by the names of their steps, without warm-up
 * operations. If there are several names, NAME is the most frequent one. If there is at most one
 * name, or if the most frequent name is empty, returns the kind. */
const char *samples_subject(
	const struct operations *operations, const char *kind, struct arena *arena);

/* Returns METRIC_ROUND if a step of the kind was called at least twice, because a round lasts from
 * one call of a step to its next call. Otherwise returns METRIC_LATENCY, also if most rounds take
 * no time: a replay calls all operations of its trace at once. */
enum metric samples_metric(const struct operations *operations, const char *kind);

/* Returns the samples of a metric, in `arena`: the values of all measured operations of `kind` that
 * have the metric, without warm-up operations, in ascending order. */
struct samples samples_take(const struct operations *operations, const char *kind,
	enum metric metric, struct arena *arena);

/* Returns the sample at a percentile (nearest rank): the smallest value for which `per_mille` of
 * all values are not larger. There must be at least one sample. */
const struct sample *samples_at(const struct samples *samples, uint32_t per_mille);

/* Sets *sum to the sums of the stages over all samples, and *total to the sum of the values. The
 * caller divides them by the number of samples to get means. Returns false if a value cannot be
 * split into stages. */
bool samples_sum(const struct operations *operations, const struct samples *samples,
	enum metric metric, struct split *sum, int64_t *total);

enum measure_mode {
	MEASURE_EACH,	  /* the host waits for each operation: METRIC_COMPLETION */
	MEASURE_FLIGHT,	  /* several operations are in flight: interval between completions */
	MEASURE_TRANSFER, /* operations move data: time per MEASURE_BYTES */
	MEASURE_OPEN,	  /* operations arrive at a rate, and are not waited for: METRIC_LATENCY */
	MEASURE_ASKED,	  /* the metric that the user chose */
	MEASURE_RUN,	  /* makespan of a run (run.h); not of measure_take() */
};

/* Times of transfers are given for this number of bytes, so that whole picoseconds suffice. */
#define MEASURE_BYTES (UINT64_C(1) << 20)

struct measured {
	uint32_t operations;  /* number of measured operations, without warm-up */
	uint64_t bytes;	      /* bytes that these operations moved */
	uint32_t in_flight;   /* most operations whose completion the host learned at one time */
	struct sorted values; /* values of the metric, ps: one for each operation or batch */
	/* mean interval between completions in ps, over the steady part, or over all operations if
	 * there is no steady part; 0: unknown */
	double interval;
	/* time in ps up to the last completion. It begins at the first call, or at the end of the
	 * warm-up if that is later. -1: unknown */
	int64_t makespan;
	double offered; /* open loop: interval between arrivals, ps; 0: closed loop */
	bool saturated; /* open loop: operations complete more slowly than they arrive */
	/* operations needed for a steady state; 0: there is one, or none is needed */
	uint32_t needed;
	bool has_stages;
	double stages[STAGE_COUNT]; /* mean time of each stage per operation, ps */
	double host_cpu;	    /* time on cores, mean per operation, ps; -1: unknown */
};

/* Returns the time that all host threads spent on cores for the operations of `subject`, in ps per
 * operation; -1 if it is unknown. The measurement begins with the call of the first operation after
 * the warm-up. It ends with the return of the call from which the host learned that the last
 * operation was complete. All work within this time counts, also that of other threads, and that of
 * later operations of the same kind. */
double measure_host_cpu(const struct operations *operations, const char *subject);

/* Returns the CPU time of the host for one operation, if operations are in flight and one of them
 * ends every `interval` ps in the steady state. This is the CPU time that one more operation costs
 * in a longer run. It is the CPU time from one call to the next, without the first `settled`
 * measured operations. After the last call of the run, the host only waits. If the interval is
 * longer than the time between calls, the function assumes that the host spends the rest of the
 * interval in the same way. So work that is done only once, at the beginning or at the end of a
 * run, does not count. */
double measure_host_cpu_in_flight(const struct operations *operations, const char *subject,
	uint32_t settled, double interval);

/* Returns the mode that follows from how the workload waits for the operations of `subject`. */
enum measure_mode measure_mode_of(const struct operations *operations, const char *subject);

/* Returns the mode in which the rounds of a loop that calls `subject` are measured. As for single
 * operations, the mode depends on how the workload waits. It is never MEASURE_TRANSFER, because
 * moving data is only a part of a round. */
enum measure_mode measure_mode_of_rounds(const struct operations *operations, const char *subject);

/* Measures the operations of `subject` in the mode `mode`, and fills in *measured. `metric` is used
 * only in the mode MEASURE_ASKED. The arrays of *measured are in `arena`. */
void measure_take(const struct operations *operations, const char *subject, enum measure_mode mode,
	enum metric metric, struct arena *arena, struct measured *measured);

/* Divides the steady part of a series into up to 30 batches with about the same number of entries.
 * If there is no steady part, divides the whole series. Sets the values of *measured, which are in
 * `arena`: for each batch, its time per `unit` of weight. */
void measure_take_batches(const struct completions *series, uint64_t unit, struct arena *arena,
	struct measured *measured);

/* Host threads that serve other meshes may run at the same time as the operations of one thread. If
 * this thread calls operation `index` and all its operations are on one mesh, returns a copy of the
 * operations, in `arena`, whose CPU times are without those of such threads. Otherwise, and if the
 * file does not have these times, returns `operations`. */
const struct operations *measure_own_cpu(
	const struct operations *operations, uint32_t index, struct arena *arena);

/* Returns the name of the metric of a mode: "completion", "interval", "transfer", "latency" or
 * "makespan". For MEASURE_ASKED, returns the name of `metric`. */
const char *measure_name(enum measure_mode mode, enum metric metric);

#endif
