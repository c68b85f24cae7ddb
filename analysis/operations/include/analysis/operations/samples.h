/* The sorted values of one metric over the operations of one kind, with access to the stages
 * behind each value. */
#ifndef ANALYSIS_OPERATIONS_SAMPLES_H
#define ANALYSIS_OPERATIONS_SAMPLES_H

#include "analysis/operations/path.h"

struct sample {
	int64_t value;
	uint32_t index; /* of the operation */
};

struct samples {
	struct sample *at; /* by value, then by operation */
	uint32_t count;
};

/* The default kind of a question: enqueue_workload, or if there is none, the kind with the most
 * measured operations. "" if there are no operations. */
const char *samples_kind(const struct operations *operations);

/* The default subject of a question about a kind: the kind, or if its operations are of several
 * steps, "KIND/NAME" of the step that was called most. In `arena`. */
const char *samples_subject(
	const struct operations *operations, const char *kind, struct arena *arena);

/* `round` if two operations of the kind follow each other in some step, else `latency`. */
enum metric samples_metric(const struct operations *operations, const char *kind);

/* Measured operations (warm-up left out) of `kind` that have the metric; in `arena`. */
struct samples samples_take(const struct operations *operations, const char *kind,
	enum metric metric, struct arena *arena);

/* The sample at a percentile (nearest rank): the smallest value that `per_mille` of all values do
 * not exceed. There must be one. */
const struct sample *samples_at(const struct samples *samples, uint32_t per_mille);

/* Sums the stages and the values of all samples; divide by their count for means. False if a value
 * cannot be split into stages. */
bool samples_sum(const struct operations *operations, const struct samples *samples,
	enum metric metric, struct split *sum, int64_t *total);

#endif
