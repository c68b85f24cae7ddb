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

/* The sorted values of one metric over the operations of one kind. Each value has the index of its
 * operation, from which the stages of the value can be found. */

struct sample {
	int64_t value;
	uint32_t index; /* index of the operation */
};

struct samples {
	struct sample *at; /* sorted by value, then by operation */
	uint32_t count;
};

/* Returns the default kind of operation for a question. This is enqueue_workload if the run has
 * such operations. If not, it is the kind with the most measured operations. Returns "" if the run
 * has no operations. */
const char *samples_kind(const struct operations *operations);

/* Returns the default subject of a question about a kind, in `arena`. If the operations of the kind
 * come from one step, this is the kind itself. If they come from several steps, it is "KIND/NAME"
 * with the step that was called most. */
const char *samples_subject(
	const struct operations *operations, const char *kind, struct arena *arena);

/* Returns METRIC_ROUND if a step of the kind was called at least twice, because a round lasts from
 * one call of a step to the next. If no step was, returns METRIC_LATENCY. */
enum metric samples_metric(const struct operations *operations, const char *kind);

/* Returns the samples of a metric: the values of all measured operations of `kind` that have the
 * metric, without warm-up; in `arena`. */
struct samples samples_take(const struct operations *operations, const char *kind,
	enum metric metric, struct arena *arena);

/* Returns the sample at a percentile (nearest rank), that is, the smallest value that is not
 * exceeded by `per_mille` of all values. There must be at least one sample. */
const struct sample *samples_at(const struct samples *samples, uint32_t per_mille);

/* Sets *sum and *total to the sums of the stages and of the values of all samples. The sums divided
 * by the number of samples are the means. Returns false if a value cannot be split into stages. */
bool samples_sum(const struct operations *operations, const struct samples *samples,
	enum metric metric, struct split *sum, int64_t *total);

enum measure_mode {
	MEASURE_EACH,	  /* each operation is waited for: METRIC_COMPLETION */
	MEASURE_FLIGHT,	  /* several are in flight: interval between completions */
	MEASURE_TRANSFER, /* operations move data: time per MEASURE_BYTES */
	MEASURE_OPEN,	  /* operations arrive at a rate, and are not waited for: METRIC_LATENCY */
	MEASURE_ASKED,	  /* the metric that the user chose */
};

/* Times of transfers are given for this many bytes, so that whole picoseconds are exact enough. */
#define MEASURE_BYTES (UINT64_C(1) << 20)

struct measured {
	uint32_t operations;  /* number of measured operations, without warm-up */
	uint64_t bytes;	      /* bytes that these operations moved */
	uint32_t in_flight;   /* the most operations whose completion the host learned at once */
	struct sorted values; /* values of the metric, ps: one per operation, or per batch */
	/* mean interval between completions, ps: of the steady part, or of all if there is none; 0:
	 * unknown */
	double interval;
	/* from the first call, or from the end of the warm-up if that is later, to the last
	 * completion; ps; -1: unknown */
	int64_t makespan;
	double offered; /* interval between arrivals of an open loop, ps; 0: closed loop */
	bool saturated; /* open loop: operations complete more slowly than they arrive */
	/* operations needed for a steady state; 0: it has one, or needs none */
	uint32_t needed;
	bool has_stages;
	double stages[STAGE_COUNT]; /* mean per operation, ps */
	double host_cpu;	    /* time on cores, mean per operation, ps; -1: unknown */
};

/* Returns the time that all host threads spent on cores for the operations of `subject`, in ps per
 * operation; -1 if it is unknown. The time begins with the call of the first operation. It ends
 * when the call returns by which the host learned that the last operation was complete. Work before
 * and after this time does not count, but later operations of the same kind do if they are called
 * before the last one is complete. Work that other threads do within this time counts. Warm-up
 * operations are left out, unless `warmup` is set. It is set if operations are in flight: work of
 * warm-up operations that are still in flight would otherwise count for the operations after
 * them. */
double measure_host_cpu(const struct operations *operations, const char *subject, bool warmup);

/* Returns the mode that follows from how the workload waits for the operations of `subject`. */
enum measure_mode measure_mode_of(const struct operations *operations, const char *subject);

/* Returns the mode for the rounds of a loop that calls `subject`. It follows from how the workload
 * waits, like the mode of operations. It is never MEASURE_TRANSFER, because moving data is only a
 * part of a round. */
enum measure_mode measure_mode_of_rounds(const struct operations *operations, const char *subject);

/* Measures the operations of `subject` in the mode `mode`, and fills in *measured. `metric` is used
 * only in the mode MEASURE_ASKED. Arrays are in `arena`. */
void measure_take(const struct operations *operations, const char *subject, enum measure_mode mode,
	enum metric metric, struct arena *arena, struct measured *measured);

/* Divides the steady part of a series into up to 30 batches with about the same number of entries.
 * If there is no steady part, uses the whole series. Sets the values of *measured to the times of
 * the batches per `unit` of weight, in `arena`. */
void measure_take_batches(const struct completions *series, uint64_t unit, struct arena *arena,
	struct measured *measured);

/* Returns the name of the metric of a mode: "completion", "interval", "transfer" or "latency"; for
 * MEASURE_ASKED, the name of `metric`. */
const char *measure_name(enum measure_mode mode, enum metric metric);

#endif
