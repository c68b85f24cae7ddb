/* Repeated measurements of one thing, and what is said of them: values that occurred, and half the
 * distance between the quartiles, which a few interrupted repetitions do not move. */
#ifndef BENCH_MEASURE_SAMPLES_H
#define BENCH_MEASURE_SAMPLES_H

#include <stdint.h>

struct samples {
	double *at;
	uint32_t count, room;
};

struct quantiles {
	double p50, p90, p99, least;
	double spread; /* half the distance between the quartiles */
};

/* All zeros is an empty list. */
void samples_add(struct samples *samples, double value);
void samples_clear(struct samples *samples); /* keeps the memory */
void samples_fini(struct samples *samples);

/* Sorts the samples. All zeros if there are none. */
struct quantiles samples_quantiles(struct samples *samples);

#endif
