/* Tests products of tiles. Some have known results, some are compared with products in doubles, and
 * some depend on the order of additions. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "compute/operations.h"
#include "tile_matrix.h"

static struct compute_registers registers_of(enum element element)
{
	static float memory[1024];
	struct compute_registers registers;

	compute_registers_init(&registers, 1, element, memory);
	return registers;
}

static void multiply(struct compute_registers *registers, const struct tile_matrix *left,
	const struct tile_matrix *right, enum element element)
{
	struct tile_bytes of_left, of_right;

	matrix_to_tile(left, element, &of_left);
	matrix_to_tile(right, element, &of_right);
	compute_matmul(registers, 0, &of_left.tile, &of_right.tile);
}

TEST(the_identity_changes_nothing_on_either_side)
{
	struct tile_matrix identity = {0}, in, out;
	struct stream stream;

	stream_init(&stream, 1, "identity");
	matrix_random(&stream, ELEMENT_BF16, &in);
	for (int i = 0; i < 32; i++)
		identity.at[i][i] = 1;
	for (int i = 0; i < 4; i++) {
		struct compute_registers registers =
			registers_of(i / 2 ? ELEMENT_BF16 : ELEMENT_F32);

		multiply(
			&registers, i % 2 ? &identity : &in, i % 2 ? &in : &identity, ELEMENT_BF16);
		matrix_of_register(&registers, 0, &out);
		assert_memory_equal(&in, &out, sizeof in);
	}
}

/* Each factor has one element that is not 0. So only one element of the product is not 0: in the
 * row of the left element and the column of the right element. */
TEST(each_product_goes_to_its_row_and_column)
{
	struct tile_matrix left, right, out;

	for (int i = 0; i < 32 * 32; i += 7) {
		struct compute_registers registers = registers_of(ELEMENT_F32);
		int row = i / 32, column = i % 32, k = i * 5 % 32;

		memset(&left, 0, sizeof left);
		memset(&right, 0, sizeof right);
		left.at[row][k] = 3;
		right.at[k][column] = -5;
		multiply(&registers, &left, &right, ELEMENT_BF16);
		matrix_of_register(&registers, 0, &out);
		assert_true(out.at[row][column] == -15);
		out.at[row][column] = 0;
		for (int j = 0; j < 1024; j++)
			assert_true(out.at[j / 32][j % 32] == 0);
	}
}

/* Integers whose sums stay below 2^24 are exact in any order: 64 tiles of K. */
TEST(small_integers_are_exact)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix left, right, out;
	static int64_t sums[32][32];
	struct stream stream;

	stream_init(&stream, 1, "integers");
	for (int tile = 0; tile < 64; tile++) {
		matrix_random_integers(&stream, 90, &left);
		matrix_random_integers(&stream, 90, &right);
		multiply(&registers, &left, &right, tile % 2 ? ELEMENT_BF16 : ELEMENT_F32);
		for (int i = 0; i < 32 * 32 * 32; i++)
			sums[i / 1024][i / 32 % 32] += (int64_t)left.at[i / 1024][i % 32] *
						       (int64_t)right.at[i % 32][i / 32 % 32];
	}
	matrix_of_register(&registers, 0, &out);
	for (int i = 0; i < 1024; i++)
		assert_int_equal((int64_t)out.at[i / 32][i % 32], sums[i / 32][i % 32]);
}

/* Computes a sum in the order that the header defines. Each product and each sum is rounded to
 * float at once. */
static float in_order(float sum, const struct tile_matrix *left, const struct tile_matrix *right,
	int row, int column, enum element element)
{
	volatile float product, grown = sum;

	for (int k = 0; k < 32; k++) {
		product = left->at[row][k] * right->at[k][column];
		grown = grown + product;
		if (element == ELEMENT_BF16 && k % 16 == 15)
			grown = nearest_bf16(grown);
	}
	return grown;
}

/* Multiplies three pairs of tiles and adds the products. Each element must have exactly the bits of
 * the sum in the defined order. It must also be near the sum in doubles. The limit for the error is
 * in units of the sum of magnitudes: one float ulp for each product and for each sum, and with bf16
 * registers one bf16 ulp for each rounding of a register. */
TEST(random_tiles_are_summed_in_order_and_near_to_doubles)
{
	static const enum element elements[] = {ELEMENT_F32, ELEMENT_BF16};
	struct tile_matrix left, right, out, expected;
	static double exact[32][32], magnitude[32][32];
	struct stream stream;

	stream_init(&stream, 1, "random");
	for (int kind = 0; kind < 4; kind++) {
		enum element element = elements[kind % 2], held = elements[kind / 2];
		struct compute_registers registers = registers_of(held);

		memset(exact, 0, sizeof exact);
		memset(magnitude, 0, sizeof magnitude);
		memset(&expected, 0, sizeof expected);
		for (int tile = 0; tile < 3; tile++) {
			matrix_random(&stream, element, &left);
			matrix_random(&stream, element, &right);
			multiply(&registers, &left, &right, element);
			for (int i = 0; i < 1024; i++)
				expected.at[i / 32][i % 32] = in_order(expected.at[i / 32][i % 32],
					&left, &right, i / 32, i % 32, held);
			for (int i = 0; i < 32 * 32 * 32; i++) {
				double product = (double)left.at[i / 1024][i % 32] *
						 (double)right.at[i % 32][i / 32 % 32];

				exact[i / 1024][i / 32 % 32] += product;
				magnitude[i / 1024][i / 32 % 32] += fabs(product);
			}
		}
		matrix_of_register(&registers, 0, &out);
		for (int i = 0; i < 1024; i++) {
			double bound = 2 * 96 * 0x1p-24, seen = (double)out.at[i / 32][i % 32];

			bound += held == ELEMENT_BF16 ? 6 * 0x1p-8 : 0;
			bound *= magnitude[i / 32][i % 32] * 1.01;
			if (fabs(seen - exact[i / 32][i % 32]) > bound)
				fail_msg("%g is %g, more than %g off", exact[i / 32][i % 32], seen,
					bound);
			if (float_bits(out.at[i / 32][i % 32]) !=
				float_bits(expected.at[i / 32][i % 32]))
				fail_msg("row %d, column %d is %a, in order %a", i / 32, i % 32,
					seen, (double)expected.at[i / 32][i % 32]);
		}
	}
}

/* Only the defined order of additions gives these sums. The sum 2^24 + 1 is rounded to 2^24. So a 1
 * that is added before 2^24 counts, but a 1 that is added after 2^24 is lost. */
TEST(sums_begin_with_the_register_and_the_lowest_k)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix left = {0}, right = {0}, out;

	for (int k = 0; k < 32; k++)
		left.at[0][k] = right.at[k][0] = 1;
	left.at[0][20] = 0x1p24f;
	multiply(&registers, &left, &right, ELEMENT_BF16);
	matrix_of_register(&registers, 0, &out);
	assert_true(out.at[0][0] == 0x1p24f + 20);
	left.at[0][20] = 1;
	compute_clear(&registers, 0, 0x1p24f);
	multiply(&registers, &left, &right, ELEMENT_BF16);
	matrix_of_register(&registers, 0, &out);
	assert_true(out.at[0][0] == 0x1p24f);
}

/* In bf16 registers 256 + 1 is rounded to 256: sixteen ones are added before rounding, twice. */
TEST(registers_of_bf16_are_rounded_after_sixteen)
{
	struct compute_registers registers = registers_of(ELEMENT_BF16);
	struct tile_matrix left = {0}, right = {0}, out;

	for (int k = 0; k < 32; k++)
		left.at[0][k] = right.at[k][0] = 1;
	left.at[0][15] = left.at[0][31] = 0;
	compute_clear(&registers, 0, 0x1p13f); /* a unit is 64, half of it is 32 */
	multiply(&registers, &left, &right, ELEMENT_BF16);
	matrix_of_register(&registers, 0, &out);
	assert_true(out.at[0][0] == 0x1p13f); /* 15 and 15, not 30 */
	left.at[0][15] = 18;
	multiply(&registers, &left, &right, ELEMENT_BF16);
	matrix_of_register(&registers, 0, &out);
	assert_true(out.at[0][0] == 0x1p13f + 64); /* 33 and 15 */
}

TEST(odd_values_go_where_their_products_go)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix left = {0}, right = {0}, out;

	left.at[4][9] = INFINITY;
	left.at[5][9] = bits_float(0xffc00001);
	right.at[9][30] = -2;
	multiply(&registers, &left, &right, ELEMENT_F32);
	matrix_of_register(&registers, 0, &out);
	assert_int_equal(float_bits(out.at[4][30]), 0xff800000);
	assert_int_equal(float_bits(out.at[4][29]), 0x7fc00000); /* infinity times 0 */
	assert_int_equal(float_bits(out.at[5][30]), 0x7fc00000);
	assert_int_equal(float_bits(out.at[6][30]), 0);
}

/* One hash of all results: a compiler, machine or option that changes a bit changes it. */
TEST(bytes_are_the_same_on_every_machine)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix left, right;
	struct stream stream;
	uint8_t packed[4096];

	stream_init(&stream, 1, "bytes");
	for (int tile = 0; tile < 8; tile++) {
		matrix_random(&stream, ELEMENT_F32, &left);
		matrix_random(&stream, ELEMENT_F32, &right);
		multiply(&registers, &left, &right, ELEMENT_F32);
	}
	compute_pack(&registers, 0, ELEMENT_F32, packed);
	assert_int_equal(hash_bytes(packed, sizeof packed), UINT64_C(0xc41a97d02916f4));
}

TEST_MAIN(NULL, NULL)
