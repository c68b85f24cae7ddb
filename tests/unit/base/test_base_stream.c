/* Tests streams of random numbers. Each use of random numbers has its own stream. The numbers must
 * be the same on every machine, and have a uniform or a normal distribution. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/stream.h"

TEST(a_stream_depends_on_seed_and_role_alone)
{
	struct stream a, b, other;

	stream_init(&a, 1, "host/worker-3/work");
	stream_init(&b, 1, "host/worker-3/work");
	for (int i = 0; i < 100; i++)
		assert_true(stream_next(&a) == stream_next(&b));
	stream_init(&b, 1, "host/worker-4/work");
	stream_init(&other, 2, "host/worker-3/work");
	stream_init(&a, 1, "host/worker-3/work");
	assert_true(a.state[0] != b.state[0] && a.state[1] != b.state[1]);
	assert_true(a.state[0] != other.state[0] && a.state[1] != other.state[1]);
}

TEST(the_bits_never_change)
{
	static const uint64_t expected[] = {UINT64_C(0x2678dc6548c9a07c),
		UINT64_C(0xbf2bd68ceaf357b7), UINT64_C(0xa60ac03aa591a99a),
		UINT64_C(0xcf70b968e8437e79)};
	struct stream stream;

	stream_init(&stream, 7, "golden");
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		uint64_t seen = stream_next(&stream);

		if (seen != expected[i])
			print_error("word %zu is %#llx, expected %#llx\n", i,
				(unsigned long long)seen, (unsigned long long)expected[i]);
		assert_true(seen == expected[i]);
	}
}

TEST(the_bits_of_normals_never_change)
{
	static const uint64_t expected = UINT64_C(0x3b0c84fdd1e63160);
	struct stream stream;
	uint64_t sum = 0;

	stream_init(&stream, 7, "golden/normal");
	for (int i = 0; i < 100000; i++) {
		double value = stream_normal(&stream);
		uint64_t bits;

		memcpy(&bits, &value, sizeof(bits));
		sum = sum * 31 + bits;
	}
	if (sum != expected)
		print_error("sum is %#llx, expected %#llx\n", (unsigned long long)sum,
			(unsigned long long)expected);
	assert_true(sum == expected);
}

TEST(below_is_uniform_and_below)
{
	unsigned counts[7] = {0};
	struct stream stream;

	stream_init(&stream, 3, "below");
	for (int i = 0; i < 70000; i++) {
		uint64_t value = stream_below(&stream, 7);

		assert_in_range(value, 0, 6);
		counts[value]++;
	}
	/* Five standard deviations of a binomial. */
	for (int i = 0; i < 7; i++)
		assert_in_range(counts[i], 10000 - 463, 10000 + 463);
	for (int i = 0; i < 100; i++)
		assert_int_equal(stream_below(&stream, 1), 0);
	for (int i = 0; i < 100; i++)
		assert_true(stream_below(&stream, UINT64_C(1) << 63) < UINT64_C(1) << 63);
}

TEST(units_fill_their_interval)
{
	double sum = 0.0, least = 1.0, most = 0.0;
	struct stream stream;

	stream_init(&stream, 3, "unit");
	for (int i = 0; i < 100000; i++) {
		double value = stream_unit(&stream);

		assert_true(value >= 0.0 && value < 1.0);
		sum += value;
		least = fmin(least, value);
		most = fmax(most, value);
	}
	assert_true(fabs(sum / 100000 - 0.5) < 5 * 0.2887 / sqrt(100000));
	assert_true(least < 1e-3 && most > 1 - 1e-3);
}

/* Returns a stream whose next word is `word`. */
static struct stream stream_before(uint64_t word)
{
	/* With state {0, b} the next word is b rotated left by 17. */
	return (struct stream){{0, word >> 17 | word << 47}};
}

TEST(normals_are_the_inverse_of_the_distribution_function)
{
	double worst = 0.0;

	for (int i = 0; i < 4096; i++) {
		/* Dense in both tails, evenly spaced in the middle. */
		uint64_t word = i < 1024   ? UINT64_C(1) << (11 + i % 52)
				: i < 2048 ? -(UINT64_C(1) << (11 + i % 52))
					   : (uint64_t)i << 52;
		struct stream stream = stream_before(word);
		double unit = ((double)(word >> 11) + 0.5) * 0x1p-53;
		double expected = gsl_cdf_ugaussian_Pinv(unit), seen = stream_normal(&stream);

		/* Near 1 the argument itself is rounded, so mirror it. */
		if (unit > 0.5)
			expected = -gsl_cdf_ugaussian_Pinv(
				((double)((UINT64_C(1) << 53) - 1 - (word >> 11)) + 0.5) * 0x1p-53);
		worst = fmax(worst, fabs(seen - expected) / (1.0 + fabs(expected)));
	}
	if (worst > 1e-14)
		print_error("worst error is %g\n", worst);
	assert_true(worst <= 1e-14);
}

TEST(normals_have_their_moments)
{
	enum { COUNT = 400000 };
	double sum = 0.0, squares = 0.0, fourths = 0.0;
	struct stream stream;

	stream_init(&stream, 11, "moments");
	for (int i = 0; i < COUNT; i++) {
		double value = stream_normal(&stream);

		sum += value;
		squares += value * value;
		fourths += value * value * value * value;
	}
	assert_true(fabs(sum / COUNT) < 5 / sqrt(COUNT));
	assert_true(fabs(squares / COUNT - 1) < 5 * sqrt(2.0 / COUNT));
	assert_true(fabs(fourths / COUNT - 3) < 5 * sqrt(96.0 / COUNT));
}

TEST_MAIN(NULL, NULL)
