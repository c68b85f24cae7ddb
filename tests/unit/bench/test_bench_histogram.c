/* The log-linear histogram: buckets without gaps, at most 0.8 % wide, merged by addition. */

#include "test.h"

#include "bench/results/metrics.h"

TEST(buckets_follow_each_other_without_gaps)
{
	assert_int_equal(histogram_lower(0), 0);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(histogram_bucket(histogram_lower(i)), i);
		assert_int_equal(histogram_bucket(histogram_upper(i) - 1), i);
		assert_int_equal(histogram_upper(i), histogram_lower(i + 1));
	}
}

TEST(a_bucket_is_exact_below_256_and_a_128th_wide_above)
{
	for (int64_t value = 0; value < 256; value++) {
		assert_int_equal(histogram_lower(histogram_bucket(value)), value);
		assert_int_equal(histogram_upper(histogram_bucket(value)), value + 1);
	}
	for (int64_t value = 256; value < INT64_MAX / 3; value = value * 3 / 2 + 1) {
		uint32_t bucket = histogram_bucket(value);
		int64_t width = histogram_upper(bucket) - histogram_lower(bucket);

		assert_true(histogram_lower(bucket) <= value && value < histogram_upper(bucket));
		assert_true(width * 128 <= value);
	}
	assert_true(histogram_bucket(INT64_MAX) < HISTOGRAM_BUCKETS);
}

TEST_MAIN(NULL, NULL)
