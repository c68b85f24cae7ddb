/* Reductions of tiles: sums and maxima along rows, columns and both. */
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

static void reduce(struct compute_registers *registers, enum compute_reduction op,
	enum compute_along along, const struct tile_matrix *matrix, struct tile_matrix *out)
{
	struct tile_bytes tile;

	matrix_to_tile(matrix, ELEMENT_F32, &tile);
	compute_reduce(registers, 0, op, along, &tile.tile);
	matrix_of_register(registers, 0, out);
}

static float combined(enum compute_reduction op, float a, float b)
{
	volatile float sum = a + b;

	return op == COMPUTE_SUM ? sum : a > b ? a : b;
}

/* Reduces in the order that the header defines, element by element. */
static void reduce_in_order(enum compute_reduction op, enum compute_along along, float start,
	const struct tile_matrix *in, struct tile_matrix *out)
{
	float results[32];

	memset(out, 0, sizeof *out);
	for (int i = 0; i < 32; i++) {
		bool rows = along == COMPUTE_ALONG_ROWS;

		results[i] = rows ? in->at[i][0] : in->at[0][i];
		for (int j = 1; j < 32; j++)
			results[i] = combined(op, results[i], rows ? in->at[i][j] : in->at[j][i]);
		if (rows)
			out->at[i][0] = combined(op, start, results[i]);
		else if (along == COMPUTE_ALONG_COLUMNS)
			out->at[0][i] = combined(op, start, results[i]);
	}
	if (along != COMPUTE_ALONG_BOTH)
		return;
	for (int i = 1; i < 32; i++)
		results[0] = combined(op, results[0], results[i]);
	out->at[0][0] = combined(op, start, results[0]);
}

TEST(results_are_in_order_and_everything_else_is_zero)
{
	struct tile_matrix in, out, expected;
	struct stream stream;

	stream_init(&stream, 1, "reduce");
	for (int i = 0; i < COMPUTE_REDUCTION_COUNT * COMPUTE_ALONG_COUNT * 2; i++) {
		enum compute_reduction op = (enum compute_reduction)(i / 2 / COMPUTE_ALONG_COUNT);
		enum compute_along along = (enum compute_along)(i / 2 % COMPUTE_ALONG_COUNT);
		enum element held = i % 2 ? ELEMENT_BF16 : ELEMENT_F32;
		struct compute_registers registers = registers_of(held);

		matrix_random(&stream, ELEMENT_F32, &in);
		compute_clear(&registers, 0, 2.5f);
		reduce(&registers, op, along, &in, &out);
		reduce_in_order(op, along, 2.5f, &in, &expected);
		for (int j = 0; j < 1024; j++) {
			float seen = out.at[j / 32][j % 32], wanted = expected.at[j / 32][j % 32];

			wanted = held == ELEMENT_BF16 ? nearest_bf16(wanted) : wanted;
			if (float_bits(seen) != float_bits(wanted))
				fail_msg("op %d, along %d, row %d, column %d: %a, expected %a",
					(int)op, (int)along, j / 32, j % 32, (double)seen,
					(double)wanted);
		}
	}
}

/* Sums of integers do not depend on the order: over 50 tiles, all ways give the same result. */
TEST(sums_of_integers_are_exact_over_tiles)
{
	static float memory[2 * 1024];
	struct compute_registers registers;
	struct tile_matrix in, out;
	struct tile_bytes tile;
	struct stream stream;
	int64_t sum = 0;

	compute_registers_init(&registers, 2, ELEMENT_F32, memory);
	stream_init(&stream, 1, "sums");
	for (int i = 0; i < 50; i++) {
		matrix_random_integers(&stream, 100, &in);
		matrix_to_tile(&in, ELEMENT_BF16, &tile);
		compute_reduce(&registers, 0, COMPUTE_SUM, COMPUTE_ALONG_BOTH, &tile.tile);
		compute_reduce(&registers, 1, COMPUTE_SUM, COMPUTE_ALONG_ROWS, &tile.tile);
		for (int j = 0; j < 1024; j++)
			sum += (int64_t)in.at[j / 32][j % 32];
	}
	matrix_of_register(&registers, 0, &out);
	assert_int_equal((int64_t)out.at[0][0], sum);
	matrix_of_register(&registers, 1, &out);
	matrix_to_tile(&out, ELEMENT_F32, &tile);
	compute_clear(&registers, 0, 0);
	compute_reduce(&registers, 0, COMPUTE_SUM, COMPUTE_ALONG_COLUMNS, &tile.tile);
	matrix_of_register(&registers, 0, &out);
	assert_int_equal((int64_t)out.at[0][0], sum);
}

TEST(the_maximum_of_negative_values_is_one_of_them)
{
	struct compute_registers registers = registers_of(ELEMENT_F32);
	struct tile_matrix in, out;

	for (int i = 0; i < 1024; i++)
		in.at[i / 32][i % 32] = -(float)(i + 3);
	compute_clear(&registers, 0, -INFINITY);
	reduce(&registers, COMPUTE_MAX, COMPUTE_ALONG_BOTH, &in, &out);
	assert_true(out.at[0][0] == -3);
}

/* At any position, and with any other values. */
TEST(the_maximum_knows_nan_infinity_and_both_zeros)
{
	static const struct {
		uint32_t odd, other, result;
	} cases[] = {
		{0x7fc00000, 0x3f800000, 0x7fc00000},
		{0xffc00001, 0x7f800000, 0x7fc00000},
		{0x7f800000, 0x7f7fffff, 0x7f800000},
		{0xff800000, 0xff7fffff, 0xff7fffff},
		{0x00000000, 0x80000000, 0x00000000},
		{0x80000000, 0x80000001, 0x80000000},
		{0x00000001, 0x00000000, 0x00000001},
	};
	struct tile_matrix in, out;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int place = 0; place < 1024; place += 341) {
			struct compute_registers registers = registers_of(ELEMENT_F32);

			for (int j = 0; j < 1024; j++)
				in.at[j / 32][j % 32] =
					bits_float(j == place ? cases[i].odd : cases[i].other);
			compute_clear(&registers, 0, -INFINITY);
			reduce(&registers, COMPUTE_MAX, COMPUTE_ALONG_BOTH, &in, &out);
			if (float_bits(out.at[0][0]) != cases[i].result)
				fail_msg("case %zu at %d: %08x, expected %08x", i, place,
					float_bits(out.at[0][0]), cases[i].result);
		}
}

TEST_MAIN(NULL, NULL)
