/* Repeated measurements (samples.h). Quantiles are not interpolated: each is one of the samples. */
#include "bench/tools/measure/samples.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/table/order.h"

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

static double at_percent(const struct samples *samples, uint32_t percent)
{
	return samples->at[rank_at(samples->count, 10 * percent)];
}

struct quantiles samples_quantiles(struct samples *samples)
{
	if (samples->count == 0)
		return (struct quantiles){0};
	sort_reals(samples->at, samples->count);
	return (struct quantiles){
		.p50 = at_percent(samples, 50),
		.p90 = at_percent(samples, 90),
		.p99 = at_percent(samples, 99),
		.least = samples->at[0],
		.spread = (at_percent(samples, 75) - at_percent(samples, 25)) / 2,
	};
}
