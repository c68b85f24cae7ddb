/* Log-linear histogram, see bench/results/histogram.h. Refuses to compute percentiles: those of a
 * run are exact, from its rows; histograms are for merging and for pictures. */
#include "bench/results/histogram.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct histogram *histogram_new(void)
{
	struct histogram *histogram = allocate(1, sizeof *histogram);

	return histogram;
}

void histogram_free(struct histogram *histogram)
{
	free(histogram);
}

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

void histogram_record(struct histogram *histogram, int64_t value)
{
	uint32_t bucket = histogram_bucket(value);

	ensure(bucket < HISTOGRAM_BUCKETS, "bucket %u of value %lld", bucket, (long long)value);
	if (histogram->count == 0 || value < histogram->min)
		histogram->min = value;
	if (histogram->count == 0 || value > histogram->max)
		histogram->max = value;
	histogram->count++;
	histogram->sum += (double)value;
	histogram->buckets[bucket]++;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	if (other->count == 0)
		return;
	if (histogram->count == 0 || other->min < histogram->min)
		histogram->min = other->min;
	if (histogram->count == 0 || other->max > histogram->max)
		histogram->max = other->max;
	histogram->count += other->count;
	histogram->sum += other->sum;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->buckets[i] += other->buckets[i];
}
