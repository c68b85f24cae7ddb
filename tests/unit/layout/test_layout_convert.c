/* Compares conversions and tiles with values that can be checked by hand. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "layout/data/convert.h"
#include "layout/layout_text.h"

static uint16_t bf16(float value)
{
	uint16_t out;

	convert_to_bf16(&value, &out, 1);
	return out;
}

TEST(bf16_rounds_to_the_nearest_and_ties_to_even)
{
	assert_int_equal(bf16(1.0f), 0x3f80);
	assert_int_equal(bf16(-2.0f), 0xc000);
	assert_int_equal(bf16(1.0f + 0x1p-8f), 0x3f80);		   /* a tie, down to even */
	assert_int_equal(bf16(1.0f + 3 * 0x1p-8f), 0x3f82);	   /* a tie, up to even */
	assert_int_equal(bf16(1.0f + 0x1p-8f + 0x1p-20f), 0x3f81); /* above a tie */
	assert_int_equal(bf16(INFINITY), 0x7f80);
	assert_int_equal(bf16(0x1.fffffep127f), 0x7f80); /* beyond the largest */
	assert_true((bf16(NAN) & 0x7fff) > 0x7f80);
}

TEST(a_block_shares_the_exponent_of_its_largest)
{
	float in[16] = {1.0f, -1.5f, 0.0f, 8.0f, 0.0625f, 15.9375f, -0.05f}, out[16];
	uint8_t exponent, mantissas[16];

	convert_to_blocks(in, &exponent, mantissas, 1);
	assert_int_equal(exponent, 127 + 3);
	assert_int_equal(mantissas[0], 8); /* of units of 8 / 64 */
	assert_int_equal(mantissas[1], 0x80 | 12);
	assert_int_equal(mantissas[2], 0);
	assert_int_equal(mantissas[3], 64);
	assert_int_equal(mantissas[4], 0);    /* half a unit, to even */
	assert_int_equal(mantissas[5], 127);  /* 127.5 units: not beyond 127 */
	assert_int_equal(mantissas[6], 0x80); /* less than half a unit */
	convert_from_blocks(&exponent, mantissas, out, 1);
	assert_true(out[0] == 1.0f && out[1] == -1.5f && out[3] == 8.0f && out[5] == 15.875f);
}

/* Blocks of very small or very large values are converted by other code than blocks of usual
 * values. The mantissas of a block must not depend on its exponent. */
TEST(blocks_of_every_exponent_are_alike_but_for_it)
{
	static const float values[16] = {1.0f, -1.5f, 0.25f, 1.984375f, 0.0078125f, -0.0234375f};
	uint8_t exponent, mantissas[16], first[16];
	float in[16], out[16];

	for (int power = -119; power <= 127; power++) {
		for (int i = 0; i < 16; i++)
			in[i] = ldexpf(values[i], power);
		convert_to_blocks(in, &exponent, mantissas, 1);
		assert_int_equal(exponent, 127 + power);
		if (power == -119)
			memcpy(first, mantissas, sizeof first);
		assert_memory_equal(mantissas, first, sizeof first);
		convert_from_blocks(&exponent, mantissas, out, 1);
		for (int i = 0; i < 4; i++)
			assert_true(out[i] == in[i]);
	}
}

TEST(infinity_and_denormal_values_have_blocks_too)
{
	float in[16] = {INFINITY, 1.0f, -3e38f}, out[16];
	uint8_t exponent, mantissas[16];

	convert_to_blocks(in, &exponent, mantissas, 1);
	convert_from_blocks(&exponent, mantissas, out, 1);
	assert_true(isinf(out[0]) && out[1] == 0);
	in[0] = 0x1p-127f;
	in[1] = in[2] = -0x1p-149f;
	convert_to_blocks(in, &exponent, mantissas, 1);
	assert_int_equal(exponent, 0);
	assert_int_equal(mantissas[0], 0);
	assert_int_equal(mantissas[1], 0x80);
}

TEST(a_tile_is_four_faces_one_after_the_other)
{
	static uint16_t in[32 * 64], out[32 * 64], back[32 * 64];

	for (uint16_t i = 0; i < 32 * 64; i++)
		in[i] = i;
	tilize(in, out, 32, 64, (struct tile_shape){32, 32}, 2);
	assert_int_equal(out[0], 0);
	assert_int_equal(out[16], 64);			   /* second row of the first face */
	assert_int_equal(out[256], 16);			   /* second face: right of the first */
	assert_int_equal(out[512], 16 * 64);		   /* third face: below the first */
	assert_int_equal(out[768 + 17], 17 * 64 + 16 + 1); /* fourth face */
	assert_int_equal(out[1024], 32);		   /* second tile */
	untilize(out, back, 32, 64, (struct tile_shape){32, 32}, 2);
	assert_memory_equal(in, back, sizeof in);
}

TEST(conversions_that_do_not_exist_are_refused_by_name)
{
	struct layout layout = {.tensor_element = ELEMENT_U32, .element = ELEMENT_BF16};
	struct text why = {0};

	assert_int_equal(shard_data_check(&layout, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), "u32 elements as bf16");
	text_clear(&why);
	layout.tensor_element = ELEMENT_BFP_BF8;
	assert_int_equal(shard_data_check(&layout, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), "a tensor of bfp_bf8: on the host it has scalars");
	text_fini(&why);
}

TEST(floats_of_an_exponent_of_five_bits_are_converted_exactly)
{
	static const uint16_t half[] = {
		0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xc100, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
	const float expected[] = {0, -0.0f, 0x1p-24f, -0x1p-24f, 0x3ffp-24f, 0x1p-14f, 1, -2.5f,
		65504, INFINITY, -INFINITY, NAN};
	float seen[12];

	convert_from_f16(half, seen, 12);
	for (int i = 0; i < 11; i++)
		if (seen[i] != expected[i] || signbit(seen[i]) != signbit(expected[i]))
			fail_msg("%04x is %a instead of %a", half[i], (double)seen[i],
				(double)expected[i]);
	assert_true(isnan(seen[11]));
}

TEST_MAIN(NULL, NULL)
