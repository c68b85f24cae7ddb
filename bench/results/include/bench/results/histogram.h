/* Log-linear histogram of non-negative 64-bit values: 7 sub-bucket bits, so every bucket is at most
 * 1/128 (0.8 %) of its values wide; below 256 it is exact. Merged by addition. Negative values
 * abort. Empty histograms are all zeros. */
#ifndef BENCH_HISTOGRAM_H
#define BENCH_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_SUB_BITS = 7,
	HISTOGRAM_BUCKETS = (64 - HISTOGRAM_SUB_BITS) << HISTOGRAM_SUB_BITS
};

/* Bucket of a value, and the half-open range [lower, upper) of a bucket. */
uint32_t histogram_bucket(int64_t value);
int64_t histogram_lower(uint32_t bucket);
int64_t histogram_upper(uint32_t bucket);

#endif
