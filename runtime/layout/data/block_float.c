/* Block floating point (bfp8): 16 values share one exponent. Each value has a sign and a mantissa
 * of 7 bits, which include the leading 1. */
#include <string.h>

#include "layout/data/convert.h"

enum {
	MANTISSA_BITS = 7,
	DROPPED = 24 - MANTISSA_BITS,
	/* from this exponent of a block on, all denormal values of the block become 0, because they
	 * are less than half of a mantissa's lowest bit */
	SCALED_LEAST = 9
};

/* Vectors of 16 bytes, for which common machines have instructions. If a machine has none, the
 * compiler splits the vectors. */
typedef int32_t vector_words __attribute__((vector_size(16)));
typedef float vector_floats __attribute__((vector_size(16)));
typedef uint8_t vector_bytes __attribute__((vector_size(4)));

enum { LANES = 4, VECTORS = ELEMENT_BLOCK / LANES };

static uint32_t exponent_of(uint32_t bits)
{
	return bits >> 23 & 0xff;
}

/* Converts a block with integer operations. It is needed if the block contains infinities, or if
 * its values are too small for to_block(), which uses float arithmetic. */
static void to_odd_block(const float *in, uint32_t most, uint8_t *mantissas)
{
	uint32_t bits[ELEMENT_BLOCK];

	memcpy(bits, in, sizeof bits);
	for (uint32_t i = 0; i < ELEMENT_BLOCK; i++) {
		uint32_t shift = DROPPED + most - exponent_of(bits[i]);
		uint32_t whole = exponent_of(bits[i]) ? (bits[i] & 0x7fffff) | 0x800000 : 0;
		uint32_t value, half;

		shift = shift < 31 ? shift : 31;
		half = (1u << (shift - 1)) - 1;
		value = (whole + half + (whole >> shift & 1)) >> shift;
		value = value < 127 ? value : 127;
		mantissas[i] = (uint8_t)((bits[i] >> 24 & 0x80) | value);
	}
}

static vector_words block_float_larger(vector_words a, vector_words b)
{
	vector_words mask = a > b;

	return (a & mask) | (b & ~mask);
}

/* Returns the largest exponent of a block. */
static uint32_t block_float_largest(const vector_words bits[VECTORS])
{
	vector_words most = bits[0] >> 23 & 0xff;
	uint32_t largest = 0;

	for (int i = 1; i < VECTORS; i++)
		most = block_float_larger(most, bits[i] >> 23 & 0xff);
	for (int i = 0; i < LANES; i++)
		largest = (uint32_t)most[i] > largest ? (uint32_t)most[i] : largest;
	return largest;
}

/* Converts a block. Scales the values to units of the block, and rounds them by adding 2^23. */
static void to_block(const float *in, uint8_t *exponent, uint8_t *mantissas)
{
	vector_words bits[VECTORS];
	uint32_t most, scale_bits;
	float scale;

	memcpy(bits, in, sizeof bits);
	most = block_float_largest(bits);
	*exponent = (uint8_t)most;
	if (most < SCALED_LEAST || most == 255) {
		to_odd_block(in, most, mantissas);
		return;
	}
	scale_bits = (2 * 127 + MANTISSA_BITS - 1 - most) << 23; /* 1 divided by the unit */
	memcpy(&scale, &scale_bits, sizeof scale);
	for (int i = 0; i < VECTORS; i++) {
		/* the lowest bit of `sum` is one unit; below, 128 becomes 127 */
		vector_floats sum = (vector_floats)(bits[i] & 0x7fffffff) * scale + 0x1p23f;
		vector_words value = (vector_words)sum & 0xff;
		vector_bytes bytes;

		value = (value - (value >> 7)) | (bits[i] >> 24 & 0x80);
		bytes = __builtin_convertvector(value, vector_bytes);
		memcpy(mantissas + i * LANES, &bytes, sizeof bytes);
	}
}

void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks)
{
	for (uint64_t i = 0; i < blocks; i++)
		to_block(in + i * ELEMENT_BLOCK, exponents + i, mantissas + i * ELEMENT_BLOCK);
}

/* Returns the weight of the lowest bit of a mantissa: 2^(exponent - 127 - 6). */
static float power(uint32_t exponent)
{
	uint32_t bits = exponent > 6 ? (exponent - 6) << 23 : 1u << (16 + exponent);
	float weight;

	memcpy(&weight, &bits, sizeof weight);
	return weight;
}

void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks)
{
	for (uint64_t b = 0; b < blocks; b++) {
		float weight = power(exponents[b]);

		for (uint32_t i = 0; i < ELEMENT_BLOCK; i++) {
			uint8_t bits = mantissas[b * ELEMENT_BLOCK + i];
			float value = weight * (float)(bits & 0x7f);

			out[b * ELEMENT_BLOCK + i] = bits & 0x80 ? -value : value;
		}
	}
}
