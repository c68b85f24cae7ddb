/* Random streams: xoroshiro128++, seeded with SplitMix64 from the run's seed and the name of the
 * stream (base/stream.h). Normal values come from the inverse of the normal distribution function
 * (Wichura, AS 241). The logarithm is implemented here, so a value has the same bits with every C
 * library. The compiler must not contract a product and a sum into one operation in this file,
 * because a value must also have the same bits with every compiler. */
#include "base/stream.h"

#include <math.h>
#include <string.h>

#include "base/ensure.h"
#include "base/hash.h"

static uint64_t rotate(uint64_t word, unsigned count)
{
	return word << count | word >> (64 - count);
}

void stream_init(struct stream *stream, uint64_t seed, const char *role)
{
	uint64_t word = hash_mix(seed + UINT64_C(0x9e3779b97f4a7c15));
	uint64_t name = hash_more(HASH_EMPTY, role, strlen(role));

	stream->state[0] = hash_mix(word ^ hash_mix(name));
	stream->state[1] = hash_mix(word + rotate(name, 32) + UINT64_C(0xd1b54a32d192ed03));
	if (stream->state[0] == 0 && stream->state[1] == 0)
		stream->state[0] = 1; /* xoroshiro can leave every state except all zeros */
}

uint64_t stream_next(struct stream *stream)
{
	uint64_t a = stream->state[0], b = stream->state[1];

	stream->state[0] = rotate(a, 49) ^ (a ^ b) ^ (a ^ b) << 21;
	stream->state[1] = rotate(a ^ b, 28);
	return rotate(a + b, 17) + a;
}

uint64_t stream_below(struct stream *stream, uint64_t bound)
{
	unsigned __int128 product;
	uint64_t excess;

	ensure(bound > 0, "bound %lu", (unsigned long)bound);
	excess = -bound % bound;
	do
		product = (unsigned __int128)stream_next(stream) * bound;
	while ((uint64_t)product < excess);
	return (uint64_t)(product >> 64);
}

double stream_unit(struct stream *stream)
{
	return (double)(stream_next(stream) >> 11) * 0x1p-53;
}

/* Returns the natural logarithm of a positive normal double: the exponent times ln 2, plus a series
 * for the mantissa. */
static double logarithm(double value)
{
	const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
	double ratio, square, sum = 0.0;
	uint64_t bits;
	int exponent;

	memcpy(&bits, &value, sizeof(bits));
	exponent = (int)(bits >> 52) - 1023;
	bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
	memcpy(&value, &bits, sizeof(value));
	if (value > 1.4142135623730951) {
		value *= 0.5;
		exponent++;
	}
	ratio = (value - 1.0) / (value + 1.0);
	square = ratio * ratio;
	for (int odd = 23; odd >= 1; odd -= 2)
		sum = sum * square + 1.0 / odd;
	return exponent * ln2_high + (exponent * ln2_low + 2.0 * ratio * sum);
}

/* Returns the quotient of two polynomials of degree 7 at x. The denominator starts with 1. */
static double quotient(const double upper[8], const double lower[7], double x)
{
	double above = upper[7], below = lower[6];

	for (int i = 6; i >= 0; i--)
		above = above * x + upper[i];
	for (int i = 5; i >= 0; i--)
		below = below * x + lower[i];
	return above / (below * x + 1.0);
}

static const double centre_upper[8] = {3.3871328727963666080e0, 1.3314166789178437745e+2,
	1.9715909503065514427e+3, 1.3731693765509461125e+4, 4.5921953931549871457e+4,
	6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
static const double centre_lower[7] = {4.2313330701600911252e+1, 6.8718700749205790830e+2,
	5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
	2.8729085735721942674e+4, 5.2264952788528545610e+3};
static const double middle_upper[8] = {1.42343711074968357734e0, 4.63033784615654529590e0,
	5.76949722146069140550e0, 3.64784832476320460504e0, 1.27045825245236838258e0,
	2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double middle_lower[7] = {2.05319162663775882187e0, 1.67638483018380384940e0,
	6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
	5.47593808499534494600e-4, 1.05075007164441684324e-9};
static const double tail_upper[8] = {6.65790464350110377720e0, 5.46378491116411436990e0,
	1.78482653991729133580e0, 2.96560571828504891230e-1, 2.65321895265761230930e-2,
	1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double tail_lower[7] = {5.99832206555887937690e-1, 1.36929880922735805310e-1,
	1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
	1.42151175831644588870e-7, 2.04426310338993978564e-15};

/* Returns the quantile of the standard normal distribution at 1/2 + offset. */
static double normal_quantile(double offset)
{
	double root, size;

	if (fabs(offset) <= 0.425)
		return offset * quotient(centre_upper, centre_lower, 0.180625 - offset * offset);
	root = sqrt(-logarithm(0.5 - fabs(offset)));
	if (root <= 5.0)
		size = quotient(middle_upper, middle_lower, root - 1.6);
	else
		size = quotient(tail_upper, tail_lower, root - 5.0);
	return offset < 0 ? -size : size;
}

double stream_normal(struct stream *stream)
{
	/* The value is uniform from 2^-54 to 1 - 2^-54, symmetric about 1/2. */
	uint64_t word = stream_next(stream) >> 11;

	return normal_quantile(((double)word - 0x1p52 + 0.5) * 0x1p-53);
}

double stream_normal_between(struct stream *stream, uint32_t part, uint32_t parts)
{
	double offset = (part + stream_unit(stream)) / parts - 0.5;

	return normal_quantile(fmin(fmax(offset, 0x1p-54 - 0.5), 0.5 - 0x1p-54));
}
