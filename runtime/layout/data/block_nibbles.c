/* Block floating point of 4 bits (bfp4): 16 values share one exponent. Each value has a sign and a
 * mantissa of 3 bits, which include the leading 1. */
#include <string.h>

#include "layout/data/convert.h"

enum { MANTISSA_BITS = 3, MOST = (1 << MANTISSA_BITS) - 1, DROPPED = 24 - MANTISSA_BITS };

static uint32_t nibbles_exponent(uint32_t bits)
{
	return bits >> 23 & 0xff;
}

/* Rounds a value to units of its block, to nearest, ties to even. */
static uint32_t nibble_of(uint32_t bits, uint32_t most)
{
	uint32_t shift = DROPPED + most - nibbles_exponent(bits), half, value;
	uint32_t whole = nibbles_exponent(bits) ? (bits & 0x7fffff) | 0x800000 : 0;

	shift = shift < 31 ? shift : 31;
	half = (1u << (shift - 1)) - 1;
	value = (whole + half + (whole >> shift & 1)) >> shift;
	return (value < MOST ? value : MOST) | (bits >> 31) << MANTISSA_BITS;
}

void convert_to_nibbles(const float *in, uint8_t *exponents, uint8_t *nibbles, uint64_t blocks)
{
	for (uint64_t b = 0; b < blocks; b++) {
		uint32_t bits[ELEMENT_BLOCK], most = 0;

		memcpy(bits, in + b * ELEMENT_BLOCK, sizeof bits);
		for (uint32_t i = 0; i < ELEMENT_BLOCK; i++) {
			uint32_t exponent = nibbles_exponent(bits[i]);

			most = exponent > most ? exponent : most;
		}
		exponents[b] = (uint8_t)most;
		for (uint32_t i = 0; i < ELEMENT_BLOCK; i += 2)
			nibbles[(b * ELEMENT_BLOCK + i) / 2] =
				(uint8_t)(nibble_of(bits[i], most) | nibble_of(bits[i + 1], most)
									     << 4);
	}
}

/* Returns the weight of the lowest bit of a value: 2^(exponent - 127 - 2). */
static float nibbles_weight(uint32_t exponent)
{
	uint32_t bits = exponent > 2 ? (exponent - 2) << 23 : 1u << (20 + exponent);
	float weight;

	memcpy(&weight, &bits, sizeof weight);
	return weight;
}

void convert_from_nibbles(
	const uint8_t *exponents, const uint8_t *nibbles, float *out, uint64_t blocks)
{
	for (uint64_t i = 0; i < blocks * ELEMENT_BLOCK; i++) {
		uint32_t nibble = nibbles[i / 2] >> i % 2 * 4 & 0xf;
		float value = nibbles_weight(exponents[i / ELEMENT_BLOCK]) * (float)(nibble & MOST);

		out[i] = nibble > MOST ? -value : value;
	}
}
