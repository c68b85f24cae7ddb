/* Repeated measurements (samples.h). Quantiles are not interpolated: each is a value that occurred.
 */
#include "bench/tools/measure/samples.h"

#include <stdlib.h>

#include "base/allocate.h"

void samples_add(struct samples *samples, double value)
{
	if (samples->count == samples->room) {
		samples->room = samples->room ? 2 * samples->room : 64;
		samples->at = allocate_more(samples->at, samples->room, sizeof *samples->at);
	}
	samples->at[samples->count++] = value;
}

void samples_clear(struct samples *samples)
{
	samples->count = 0;
}

void samples_fini(struct samples *samples)
{
	free(samples->at);
	*samples = (struct samples){0};
}

static int samples_by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

/* The smallest value that at least `percent` of the samples do not exceed. */
static double at_percent(const struct samples *samples, uint32_t percent)
{
	uint64_t rank = ((uint64_t)samples->count * percent + 99) / 100;

	return samples->at[rank > 0 ? rank - 1 : 0];
}

struct quantiles samples_quantiles(struct samples *samples)
{
	if (samples->count == 0)
		return (struct quantiles){0};
	qsort(samples->at, samples->count, sizeof *samples->at, samples_by_value);
	return (struct quantiles){
		.p50 = at_percent(samples, 50),
		.p90 = at_percent(samples, 90),
		.p99 = at_percent(samples, 99),
		.least = samples->at[0],
		.spread = (at_percent(samples, 75) - at_percent(samples, 25)) / 2,
	};
}
