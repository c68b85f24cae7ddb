/* When operations completed, and the rate at which they do. */
#ifndef ANALYSIS_METRICS_COMPLETIONS_H
#define ANALYSIS_METRICS_COMPLETIONS_H

#include "analysis/metrics/metric.h"
#include "base/steady.h"

/* When an operation was complete, by the mark that ends its latency, ps; -1 if it passed none. */
int64_t completed_at(const struct operation *operation);

/* When the host knew that operation `index` was complete, ps; -1: never. */
int64_t known_at(const struct operations *operations, uint32_t index);

/* The time during which an operation moves its payload, ps; 0 if it is not complete. Streams
 * through the fabric start at their go, which they pass when their warm-up has been sent. */
int64_t transfer_time(const struct operation *operation);

/* Some operations of a run, by number. */
struct chosen {
	uint32_t *at, count;
	uint32_t warm; /* the last warm-up before them, or UINT32_MAX */
};

/* Chooses the measured operations of `subject`; in `arena`. */
struct chosen chosen_of(
	const struct operations *operations, const char *subject, struct arena *arena);

/* Completions in the order of time. The first one is only the origin. */
struct completions {
	struct completion *at;
	uint32_t count;
	struct steady steady;
};

/* An entry for each operation that is complete, at its own end. An entry weighs 1, or with `bytes`
 * the bytes of its operation. The last warm-up is the origin. In `arena`. */
struct completions completions_of_ends(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena);

/* The same with one entry for all operations that the host knew to be complete at the same time, so
 * that a burst that is waited for together is one step and not noise. As completions_of_ends() if
 * these are too few, or if the host never knew of an operation's end. */
struct completions completions_of_waits(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena);

/* Sum of the weights of the series, and its duration in ps: of the steady part, or of everything
 * after the origin if there is none. */
uint64_t completions_weight(const struct completions *series, int64_t *duration);

#endif
