/* Converts elements between bf16 and f32, and copies elements of equal type. */
#include "layout/data/convert.h"

#include <string.h>

#include "base/ensure.h"

/* Rounds a value to bf16. Only the upper half of the result is valid; it contains the bf16. */
static inline uint32_t rounded(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return (int32_t)(bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000
							 : bits + 0x7fff + (bits >> 16 & 1);
}

void convert_to_bf16(const float *in, uint16_t *out, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		out[i] = (uint16_t)(rounded(in[i]) >> 16);
}

void convert_round_to_bf16(float *values, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t bits = rounded(values[i]) & 0xffff0000;

		memcpy(&values[i], &bits, sizeof bits);
	}
}

void convert_from_bf16(const uint16_t *in, float *out, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t bits = (uint32_t)in[i] << 16;

		memcpy(&out[i], &bits, sizeof bits);
	}
}

/* Returns the bits of the f32 that has the same value as an f16. A denormal f16 is a multiple of
 * 2^-24, which is a normal number as an f32. */
static uint32_t bits_of_f16(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 0x1f;
	uint32_t fraction = half & 0x3ff;

	if (exponent == 0x1f)
		return sign | 0x7f800000 | fraction << 13;
	if (exponent == 0 && fraction == 0)
		return sign;
	for (exponent += exponent == 0; fraction < 0x400 && (half & 0x7c00) == 0; exponent--)
		fraction <<= 1;
	return sign | (exponent + 127 - 15) << 23 | (fraction & 0x3ff) << 13;
}

void convert_from_f16(const uint16_t *in, float *out, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t bits = bits_of_f16(in[i]);

		memcpy(&out[i], &bits, sizeof bits);
	}
}

void convert_elements(enum element from, const void *in, enum element to, void *out, uint64_t count)
{
	if (from == to)
		memcpy(out, in, count * element_bytes(from));
	else if (from == ELEMENT_F32 && to == ELEMENT_BF16)
		convert_to_bf16(in, out, count);
	else if (from == ELEMENT_BF16 && to == ELEMENT_F32)
		convert_from_bf16(in, out, count);
	else
		ensure(false, "%s to %s", element_name(from), element_name(to));
}
