/* Compares functions of one value with the functions of the C library in double precision, over
 * floats of all magnitudes. Also checks that the bits of the results are the expected ones, because
 * they must be the same on every machine and in every version. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compute/operations.h"
#include "tile_matrix.h"

enum { STEP = 0x1357, TILE = 1024 };

static double expected_of(enum compute_unary op, double x)
{
	switch (op) {
	case COMPUTE_EXP:
		return exp(x);
	case COMPUTE_RECIPROCAL:
		return 1 / x;
	case COMPUTE_SQRT:
		return sqrt(x);
	case COMPUTE_GELU:
		return 0.5 * x * erfc(-x / sqrt(2));
	case COMPUTE_SILU:
		return x / (1 + exp(-x));
	default:
		return tanh(x);
	}
}

/* The distance of two neighbours among floats of this size. */
static double unit_of(double value)
{
	int exponent = value == 0 ? -126 : ilogb(value);

	return ldexp(1, (exponent < -126 ? -126 : exponent) - 23);
}

static bool is_close(float result, double expected)
{
	if (isnan(expected))
		return isnan(result);
	if (fabs(expected) > 0x1.ffffffp127)
		return isinf(result) && (result < 0) == (expected < 0);
	return fabs((double)result - expected) <= unit_of(expected);
}

/* Applies the function to 1,024 floats whose bits are `step` apart. */
static void apply(enum compute_unary op, uint32_t first, uint32_t step, float values[TILE])
{
	struct compute_registers registers;

	compute_registers_init(&registers, 1, ELEMENT_F32, values);
	for (uint32_t i = 0; i < TILE; i++)
		values[i] = bits_float(first + i * step);
	compute_unary(&registers, 0, op);
}

TEST(results_are_within_one_unit_in_the_last_place)
{
	float values[TILE];

	for (uint32_t op = 0; op < COMPUTE_UNARY_COUNT; op++)
		for (uint64_t first = 0; first < UINT64_C(1) << 32;
			first += (uint64_t)STEP * TILE) {
			apply((enum compute_unary)op, (uint32_t)first, STEP, values);
			for (uint32_t i = 0; i < TILE; i++) {
				float x = bits_float((uint32_t)first + i * STEP);
				double expected = expected_of((enum compute_unary)op, (double)x);

				if (isinf(x) && x < 0 && (op == COMPUTE_GELU || op == COMPUTE_SILU))
					expected = -0.0;
				if (!is_close(values[i], expected))
					fail_msg("function %u of %a: %a, expected %a", op,
						(double)x, (double)values[i], expected);
			}
		}
}

TEST(limits_are_those_of_mathematics)
{
	static const struct {
		enum compute_unary op;
		uint32_t from, result;
	} cases[] = {
		{COMPUTE_EXP, 0x00000000, 0x3f800000}, {COMPUTE_EXP, 0x80000000, 0x3f800000},
		{COMPUTE_EXP, 0xff800000, 0x00000000}, {COMPUTE_EXP, 0x7f800000, 0x7f800000},
		{COMPUTE_EXP, 0x42b20000, 0x7f800000}, /* 89 */
		{COMPUTE_RECIPROCAL, 0x00000000, 0x7f800000},
		{COMPUTE_RECIPROCAL, 0x80000000, 0xff800000},
		{COMPUTE_RECIPROCAL, 0xff800000, 0x80000000},
		{COMPUTE_RECIPROCAL, 0x40400000, 0x3eaaaaab},
		{COMPUTE_SQRT, 0x40000000, 0x3fb504f3}, {COMPUTE_SQRT, 0x80000000, 0x80000000},
		{COMPUTE_SQRT, 0xbf800000, 0x7fc00000},
		{COMPUTE_SQRT, 0x00000001, 0x1a3504f3}, /* the value is denormal */
		{COMPUTE_GELU, 0x00000000, 0x00000000}, {COMPUTE_GELU, 0x7f800000, 0x7f800000},
		{COMPUTE_GELU, 0xff800000, 0x80000000}, {COMPUTE_SILU, 0x7f800000, 0x7f800000},
		{COMPUTE_SILU, 0xff800000, 0x80000000}, {COMPUTE_TANH, 0x80000000, 0x80000000},
		{COMPUTE_TANH, 0x00000001, 0x00000001}, {COMPUTE_TANH, 0xff800000, 0xbf800000},
		{COMPUTE_TANH, 0xffc12345, 0x7fc00000}, /* of a NaN */
	};
	float values[TILE], packed[TILE];
	struct compute_registers registers = {values, 1, ELEMENT_F32};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		apply(cases[i].op, cases[i].from, 0, values);
		compute_pack(&registers, 0, ELEMENT_F32, packed);
		if (float_bits(packed[77]) != cases[i].result)
			fail_msg("function %d of 0x%08x: 0x%08x, expected 0x%08x", (int)cases[i].op,
				cases[i].from, float_bits(packed[77]), cases[i].result);
	}
}

/* A register of bf16 is rounded once more, when the result is written. */
TEST(bf16_registers_are_rounded)
{
	float wide[TILE], narrow[TILE];
	struct compute_registers registers;

	for (uint32_t op = 0; op < COMPUTE_UNARY_COUNT; op++) {
		apply((enum compute_unary)op, 0x3f000000, 0x2000, wide);
		compute_registers_init(&registers, 1, ELEMENT_BF16, narrow);
		for (uint32_t i = 0; i < TILE; i++)
			narrow[i] = bits_float(0x3f000000 + i * 0x2000);
		compute_unary(&registers, 0, (enum compute_unary)op);
		for (uint32_t i = 0; i < TILE; i++)
			assert_true(narrow[i] == nearest_bf16(wide[i]));
	}
}

TEST(scale_and_offset_change_every_value)
{
	float values[TILE];
	struct compute_registers registers;

	compute_registers_init(&registers, 1, ELEMENT_BF16, values);
	for (uint32_t i = 0; i < TILE; i++)
		values[i] = (float)i;
	compute_scale(&registers, 0, 0.75f);
	for (uint32_t i = 0; i < TILE; i++)
		assert_true(values[i] == nearest_bf16(0.75f * (float)i));
	compute_offset(&registers, 0, 1.5f);
	for (uint32_t i = 0; i < TILE; i++)
		assert_true(values[i] == nearest_bf16(nearest_bf16(0.75f * (float)i) + 1.5f));
}

/* FNV-1a of the results of each function. */
TEST(bits_are_the_same_on_every_machine)
{
	static const uint64_t expected[COMPUTE_UNARY_COUNT] = {0x41b6abf0e853365a,
		0xcb987454f832e5a0, 0xe97df58801dabb03, 0x900e05ce141ad84f, 0x5ca810f0c581280e,
		0x4a4f1f106c9acaf7};
	float values[TILE], packed[TILE];
	struct compute_registers registers = {values, 1, ELEMENT_F32};

	for (uint32_t op = 0; op < COMPUTE_UNARY_COUNT; op++) {
		uint64_t hash = UINT64_C(0xcbf29ce484222325);

		for (uint32_t tile = 0; tile < 64; tile++) {
			apply((enum compute_unary)op, 0x20000000 + tile * 0x02000000, 0x13579,
				values);
			compute_pack(&registers, 0, ELEMENT_F32, packed);
			for (uint32_t i = 0; i < TILE; i++)
				hash = (hash ^ float_bits(packed[i])) * UINT64_C(0x100000001b3);
		}
		if (hash != expected[op])
			fail_msg("function %u: 0x%016llx, expected 0x%016llx", op,
				(unsigned long long)hash, (unsigned long long)expected[op]);
	}
}

TEST_MAIN(NULL, NULL)
