/* Log-linear histograms (metrics.h), for merging and for plots. The percentiles of a run are
 * computed exactly from its rows, not from histograms. */
#include "bench/results/metrics.h"

#include "base/ensure.h"

uint32_t histogram_bucket(int64_t value)
{
	ensure(value >= 0, "value %lld", (long long)value);
	if (value < 2 << HISTOGRAM_SUB_BITS)
		return (uint32_t)value;

	int top = 63 - __builtin_clzll((unsigned long long)value);
	int shift = top - HISTOGRAM_SUB_BITS;

	return ((uint32_t)shift << HISTOGRAM_SUB_BITS) + (uint32_t)(value >> shift);
}

int64_t histogram_lower(uint32_t bucket)
{
	if (bucket < 2 << HISTOGRAM_SUB_BITS)
		return bucket;

	uint32_t shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
	uint64_t mantissa = bucket - (shift << HISTOGRAM_SUB_BITS);
	uint64_t lower = mantissa << shift;

	return lower > INT64_MAX ? INT64_MAX : (int64_t)lower;
}

int64_t histogram_upper(uint32_t bucket)
{
	return histogram_lower(bucket + 1);
}
