/* Repeated measurements and their quantiles, which are values that occurred. The spread is half the
 * interquartile range, which a few interrupted repetitions do not change. */
#ifndef BENCH_TOOLS_MEASURE_SAMPLES_H
#define BENCH_TOOLS_MEASURE_SAMPLES_H

#include <stdint.h>

struct samples {
	double *at;
	uint32_t count, room;
};

struct quantiles {
	double p50, p90, p99, least;
	double spread; /* half the interquartile range */
};

/* All zeros is an empty list. */
void samples_add(struct samples *samples, double value);
void samples_clear(struct samples *samples); /* keeps the memory */
void samples_fini(struct samples *samples);

/* Sorts the samples. All zeros if there are none. */
struct quantiles samples_quantiles(struct samples *samples);

#endif
