/* Tests copies, operations on two tiles, and operations that broadcast the second tile. Plain C
 * code computes the expected value of each element. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compute/operations.h"
#include "tile_matrix.h"

static struct compute_registers registers_of(enum element element)
{
	static float memory[1024];
	struct compute_registers registers;

	compute_registers_init(&registers, 1, element, memory);
	return registers;
}

static float apply(enum compute_binary op, float left, float right)
{
	return op == COMPUTE_ADD	? left + right
	       : op == COMPUTE_SUBTRACT ? left - right
					: left * right;
}

/* Covers all operations, broadcasts, and element types of both operands and of registers. */
TEST(every_element_is_rounded_once_from_its_two)
{
	static const enum element elements[] = {ELEMENT_F32, ELEMENT_BF16};
	struct tile_matrix left, right, out;
	struct tile_bytes of_left, of_right;
	struct stream stream;

	stream_init(&stream, 1, "binary");
	for (int i = 0; i < COMPUTE_BINARY_COUNT * COMPUTE_BROADCAST_COUNT * 8; i++) {
		enum compute_binary op = (enum compute_binary)(i / 8 / COMPUTE_BROADCAST_COUNT);
		enum compute_broadcast broadcast =
			(enum compute_broadcast)(i / 8 % COMPUTE_BROADCAST_COUNT);
		struct compute_registers registers = registers_of(elements[i / 4 % 2]);

		matrix_random(&stream, elements[i % 2], &left);
		matrix_random(&stream, elements[i / 2 % 2], &right);
		matrix_to_tile(&left, elements[i % 2], &of_left);
		matrix_to_tile(&right, elements[i / 2 % 2], &of_right);
		compute_binary(&registers, 0, op, &of_left.tile, &of_right.tile, broadcast);
		matrix_of_register(&registers, 0, &out);
		for (int row = 0; row < 32; row++)
			for (int column = 0; column < 32; column++) {
				bool first_row =
					broadcast == COMPUTE_ROW || broadcast == COMPUTE_SCALAR;
				bool first_column =
					broadcast == COMPUTE_COLUMN || broadcast == COMPUTE_SCALAR;
				float second =
					right.at[first_row ? 0 : row][first_column ? 0 : column];
				float expected = apply(op, left.at[row][column], second);

				if (registers.element == ELEMENT_BF16)
					expected = nearest_bf16(expected);
				if (out.at[row][column] != expected)
					fail_msg("op %d, broadcast %d, row %d, column %d: %a, "
						 "expected %a",
						(int)op, (int)broadcast, row, column,
						(double)out.at[row][column], (double)expected);
			}
	}
}

TEST(transposed_twice_is_as_before)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix in, once, twice;
	struct tile_bytes tile;
	struct stream stream;

	stream_init(&stream, 1, "transpose");
	matrix_random(&stream, ELEMENT_F32, &in);
	matrix_to_tile(&in, ELEMENT_F32, &tile);
	compute_transpose(&registers, 0, &tile.tile);
	matrix_of_register(&registers, 0, &once);
	for (int row = 0; row < 32; row++)
		for (int column = 0; column < 32; column++)
			assert_true(once.at[row][column] == in.at[column][row]);
	matrix_to_tile(&once, ELEMENT_F32, &tile);
	compute_transpose(&registers, 0, &tile.tile);
	matrix_of_register(&registers, 0, &twice);
	assert_memory_equal(&in, &twice, sizeof in);
}

/* Infinities, NaN, denormals and negative zeros follow IEEE 754. */
TEST(odd_values_are_those_of_ieee_754)
{
	static const struct {
		enum compute_binary op;
		uint32_t left, right, result;
	} cases[] = {
		{COMPUTE_ADD, 0x7f800000, 0x3f800000, 0x7f800000},
		{COMPUTE_ADD, 0x7f800000, 0xff800000, 0x7fc00000},
		{COMPUTE_SUBTRACT, 0x7f800000, 0x7f800000, 0x7fc00000},
		{COMPUTE_ADD, 0xffc12345, 0x3f800000, 0x7fc00000}, /* no sign, no payload */
		{COMPUTE_MULTIPLY, 0x00000000, 0xff800000, 0x7fc00000},
		{COMPUTE_MULTIPLY, 0x7f7fffff, 0xc0000000, 0xff800000}, /* beyond the largest */
		{COMPUTE_ADD, 0x80000000, 0x80000000, 0x80000000},	/* -0 + -0 */
		{COMPUTE_ADD, 0x80000000, 0x00000000, 0x00000000},	/* -0 + 0 */
		{COMPUTE_SUBTRACT, 0x3f800000, 0x3f800000, 0x00000000},
		{COMPUTE_MULTIPLY, 0x80000000, 0x3f800000, 0x80000000},
		{COMPUTE_MULTIPLY, 0x00800000, 0x3f000000, 0x00400000}, /* denormal, exact */
		{COMPUTE_ADD, 0x00000001, 0x00000001, 0x00000002},
		{COMPUTE_MULTIPLY, 0x00000001, 0x3f000000, 0x00000000}, /* a tie, to even */
		{COMPUTE_MULTIPLY, 0x80000003, 0x3f000000, 0x80000002},
	};
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix left = {0}, right = {0}, out;
	struct tile_bytes of_left, of_right;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		left.at[3][20] = bits_float(cases[i].left);
		right.at[3][20] = bits_float(cases[i].right);
		matrix_to_tile(&left, ELEMENT_F32, &of_left);
		matrix_to_tile(&right, ELEMENT_F32, &of_right);
		compute_binary(
			&registers, 0, cases[i].op, &of_left.tile, &of_right.tile, COMPUTE_EACH);
		matrix_of_register(&registers, 0, &out);
		if (float_bits(out.at[3][20]) != cases[i].result)
			fail_msg("case %zu: %08x, expected %08x", i, float_bits(out.at[3][20]),
				cases[i].result);
	}
}

TEST_MAIN(NULL, NULL)
