/* The experiments of experiments.def, and figures that several of them have. */
#ifndef BENCH_TOOLS_DECISIONS_EXPERIMENTS_H
#define BENCH_TOOLS_DECISIONS_EXPERIMENTS_H

#include "bench/tools/reference/experiment.h"

enum { EXPERIMENTS_WARM = 2 }; /* number of calls before the figures begin */

#define X(name, family, systems, metrics, unit)                                                    \
	extern const struct experiment_param decision_##name##_params[];                           \
	void decision_##name##_scenario(const struct reference_row *row, struct text *yaml);       \
	double decision_##name##_figure(                                                           \
		const struct reference_row *row, const struct op_row *ops, uint32_t count);
#define THREADS(name, family, systems, metrics, unit, metric)                                      \
	X(name, family, systems, metrics, unit)                                                    \
	double decision_##name##_threads(const struct reference_row *row,                          \
		const struct thread_row *threads, uint32_t count);
#include "experiments.def"

/* Returns the median of `value` over the operations of a kind after the warm-up, in us. */
double experiments_median_us(const struct op_row *ops, uint32_t count, const char *kind,
	int64_t (*value)(const struct op_row *op));

/* Returns the mean time between the returns of two successive operations of the kind `kind`, after
 * the warm-up. */
double experiments_period_us(const struct op_row *ops, uint32_t count, const char *kind);

/* These functions return a time of an operation, in ps: experiments_host_time() from the call to
 * its return, experiments_doorbell_skew() from the first doorbell to the last. */
int64_t experiments_host_time(const struct op_row *op);
int64_t experiments_doorbell_skew(const struct op_row *op);

#endif
