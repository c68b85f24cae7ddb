/* Tiles in memory and in registers: which bits of a value are kept, and errors. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compute/operations.h"
#include "tile_matrix.h"

static struct compute_registers registers_of(enum element element)
{
	static float memory[3 * 1024];
	struct compute_registers registers;

	assert_true(compute_registers_bytes(3) == sizeof memory);
	compute_registers_init(&registers, 3, element, memory);
	return registers;
}

TEST(places_are_those_of_four_faces)
{
	struct tile_matrix matrix;
	struct tile_bytes tile;
	float floats[1024];

	for (int i = 0; i < 1024; i++)
		matrix.at[i / 32][i % 32] = (float)i;
	matrix_to_tile(&matrix, ELEMENT_F32, &tile);
	compute_load(&tile.tile, floats);
	for (uint32_t i = 0; i < 1024; i++)
		assert_true(floats[compute_place(i / 32, i % 32)] == (float)i);
	assert_int_equal(compute_place(0, 16), 256);
	assert_int_equal(compute_place(16, 0), 512);
	assert_int_equal(compute_place(31, 31), 1023);
}

/* Copies every bf16 value except NaN into a register and out again, as bf16 and through f32. */
TEST(copies_keep_every_bit_but_those_of_nan)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	uint16_t in[1024], out[1024];
	uint32_t wide[1024];

	for (uint32_t first = 0; first < 0x10000; first += 1024) {
		for (uint32_t i = 0; i < 1024; i++)
			in[i] = (uint16_t)(first + i);
		compute_copy(&registers, 1, &(struct compute_tile){ELEMENT_BF16, in});
		compute_pack(&registers, 1, ELEMENT_BF16, out);
		compute_pack(&registers, 1, ELEMENT_F32, wide);
		for (uint32_t i = 0; i < 1024; i++) {
			uint32_t told = (in[i] & 0x7fff) > 0x7f80 ? 0x7fc0 : in[i];

			assert_int_equal(out[i], told);
			assert_int_equal(wide[i], told << 16);
		}
	}
}

TEST(rounds_to_the_nearest_bf16_ties_to_even)
{
	struct compute_registers wide = registers_of(ELEMENT_F32);
	struct stream stream;
	uint32_t in[1024];
	uint16_t out[1024];

	stream_init(&stream, 1, "rounding");
	for (int round = 0; round < 200; round++) {
		for (uint32_t i = 0; i < 1024; i++) {
			in[i] = (uint32_t)stream_next(&stream) & 0xbf7fffff; /* below 2^127 */
			if (i % 4 == 0)
				in[i] = (in[i] & 0xffff0000) | 0x8000; /* a tie */
		}
		compute_copy(&wide, 0, &(struct compute_tile){ELEMENT_F32, in});
		compute_pack(&wide, 0, ELEMENT_BF16, out);
		for (uint32_t i = 0; i < 1024; i++)
			assert_int_equal((uint32_t)out[i] << 16,
				float_bits(nearest_bf16(bits_float(in[i]))));
	}
	in[0] = 0x7f7fffff; /* the largest float is nearer to infinity than to the largest bf16 */
	in[1] = 0x7f7f7fff;
	in[2] = 0x00000001;
	in[3] = 0x80000001;
	compute_copy(&wide, 0, &(struct compute_tile){ELEMENT_F32, in});
	compute_pack(&wide, 0, ELEMENT_BF16, out);
	assert_int_equal(out[0], 0x7f80);
	assert_int_equal(out[1], 0x7f7f);
	assert_int_equal(out[2], 0x0000);
	assert_int_equal(out[3], 0x8000);
}

/* Packs random floats into a block format, and unpacks them again. The magnitudes of the 16 floats
 * of a block differ by up to a factor of 2^12. A unit is the value of the last bit in the block.
 * Each float may have an error of half a unit. Only the largest floats of a block may have an error
 * of a whole unit, because they are rounded down. */
static void check_blocks(enum element element, int bits)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix in, out;
	struct tile_bytes tile;
	struct stream stream;

	stream_init(&stream, 1, "blocks");
	for (int round = 0; round < 50; round++) {
		matrix_random(&stream, ELEMENT_F32, &in);
		matrix_to_tile(&in, ELEMENT_F32, &tile);
		compute_copy(&registers, 0, &tile.tile);
		compute_pack(&registers, 0, element, tile.bytes);
		tile.tile.element = element;
		compute_copy(&registers, 0, &tile.tile);
		matrix_of_register(&registers, 0, &out);
		for (int i = 0; i < 1024; i++) {
			const float *block = &in.at[i / 32][i % 32 / 16 * 16];
			double largest = 0, unit, error;

			for (int k = 0; k < 16; k++)
				largest = fmax(largest, fabs((double)block[k]));
			unit = ldexp(1, ilogb(largest) - bits + 1);
			error = fabs((double)out.at[i / 32][i % 32] - (double)block[i % 16]);
			if (error > unit ||
				(error > unit / 2 &&
					fabs((double)block[i % 16]) < (ldexp(1, bits) - 1) * unit))
				fail_msg("%s: %a becomes %a, in units of %a", element_name(element),
					(double)block[i % 16], (double)out.at[i / 32][i % 32],
					unit);
		}
	}
}

TEST(blocks_are_rounded_within_their_unit_in_the_last_place)
{
	check_blocks(ELEMENT_BFP_BF8, 7);
	check_blocks(ELEMENT_BFP_BF4, 3);
}

/* A tile begins with the exponents of its blocks. If a byte holds two values, the first value is in
 * the lower half of the byte. */
TEST(tiles_of_blocks_have_their_bytes)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix in = {0};
	struct tile_bytes tile;
	uint8_t out[64 + 1024];

	in.at[0][0] = 1;
	in.at[0][1] = -1.75f;
	in.at[0][2] = 0.625f; /* 2.5 quarters: a tie, to even */
	in.at[0][3] = 0.875f;
	in.at[16][16] = 0x1p-100f; /* first block of the last face */
	matrix_to_tile(&in, ELEMENT_F32, &tile);
	compute_copy(&registers, 0, &tile.tile);
	compute_pack(&registers, 0, ELEMENT_BFP_BF4, out);
	assert_int_equal(out[0], 127);
	assert_int_equal(out[1], 0);
	assert_int_equal(out[48], 27);
	assert_int_equal(out[64], 0xf4);
	assert_int_equal(out[65], 0x42);
	assert_int_equal(out[64 + 384], 0x04);
	compute_pack(&registers, 0, ELEMENT_BFP_BF8, out);
	assert_int_equal(out[48], 27);
	assert_int_equal(out[64], 64);
	assert_int_equal(out[65], 0x80 | 112);
	assert_int_equal(out[66], 40);
	assert_int_equal(out[64 + 768], 64);
}

/* Values are rounded when they are written to bf16 registers. When such a register is packed as
 * f32, its values have only the bits of a bf16. */
TEST(registers_of_bf16_hold_bf16)
{
	struct compute_registers registers = registers_of(ELEMENT_BF16);
	struct tile_matrix in, out;
	struct tile_bytes tile;
	struct stream stream;

	stream_init(&stream, 1, "registers");
	matrix_random(&stream, ELEMENT_F32, &in);
	matrix_to_tile(&in, ELEMENT_F32, &tile);
	compute_copy(&registers, 2, &tile.tile);
	matrix_of_register(&registers, 2, &out);
	for (int i = 0; i < 1024; i++)
		assert_true(out.at[i / 32][i % 32] == nearest_bf16(in.at[i / 32][i % 32]));
	compute_clear(&registers, 2, 1.0f + 0x1p-8f + 0x1p-20f);
	matrix_of_register(&registers, 2, &out);
	assert_true(out.at[5][17] == 1.0f + 0x1p-7f);
}

TEST(an_operation_writes_its_register_only)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix ones, out;
	struct tile_bytes tile;

	for (int i = 0; i < 1024; i++)
		ones.at[i / 32][i % 32] = 1;
	matrix_to_tile(&ones, ELEMENT_BF16, &tile);
	compute_clear(&registers, 0, 7);
	compute_clear(&registers, 2, 9);
	compute_copy(&registers, 1, &tile.tile);
	compute_transpose(&registers, 1, &tile.tile);
	compute_binary(&registers, 1, COMPUTE_ADD, &tile.tile, &tile.tile, COMPUTE_ROW);
	compute_matmul(&registers, 1, &tile.tile, &tile.tile);
	compute_reduce(&registers, 1, COMPUTE_SUM, COMPUTE_ALONG_BOTH, &tile.tile);
	for (uint32_t index = 0; index < 3; index += 2) {
		matrix_of_register(&registers, index, &out);
		for (int i = 0; i < 1024; i++)
			assert_true(out.at[i / 32][i % 32] == (float)(7 + index));
	}
}

TEST(what_does_not_exist_is_refused_by_name)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct text why = {0};

	assert_int_equal(compute_check(&registers, 2, ELEMENT_F32, &why), STATUS_OK);
	assert_int_equal(compute_check(&registers, 0, ELEMENT_BF16, NULL), STATUS_OK);
	assert_int_equal(compute_check(&registers, 3, ELEMENT_F32, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), "destination register 3 of 3");
	text_clear(&why);
	for (int element = 0; element < ELEMENT_COUNT; element++)
		assert_int_equal(compute_check(&registers, 0, (enum element)element, NULL),
			element == ELEMENT_F32 || element == ELEMENT_BF16 ||
					element == ELEMENT_BFP_BF8 || element == ELEMENT_BFP_BF4
				? STATUS_OK
				: STATUS_INVALID);
	compute_check(&registers, 0, ELEMENT_F16, &why);
	assert_string_equal(
		text_string(&why), "arithmetic on f16: f32, bf16, bfp_bf8 and bfp_bf4 have it");
	text_fini(&why);
}

TEST_MAIN(NULL, NULL)
