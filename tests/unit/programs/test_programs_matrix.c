/* Tests operations on matrices of any size, which are computed tile by tile. Compares their
 * results with those of plain loops that compute in the same order, and with results that are
 * computed in doubles. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "programs/reference/reference.h"
#include "tile_matrix.h"

static const enum element elements[] = {ELEMENT_F32, ELEMENT_BF16};

static struct matrix matrix_of(enum element element, uint64_t rows, uint64_t columns)
{
	return (struct matrix){
		element, rows, columns, allocate(rows * columns, element_bytes(element))};
}

static float at(const struct matrix *matrix, uint64_t row, uint64_t column)
{
	uint64_t i = row * matrix->columns + column;

	if (matrix->element == ELEMENT_BF16)
		return bits_float((uint32_t)((const uint16_t *)matrix->bytes)[i] << 16);
	return ((const float *)matrix->bytes)[i];
}

static struct matrix random_matrix(
	struct stream *stream, enum element element, uint64_t rows, uint64_t columns)
{
	struct matrix matrix = matrix_of(element, rows, columns);

	for (uint64_t i = 0; i < rows * columns; i++) {
		float value = (float)stream_unit(stream) * 4 - 2;

		if (element == ELEMENT_BF16)
			((uint16_t *)matrix.bytes)[i] =
				(uint16_t)(float_bits(nearest_bf16(value)) >> 16);
		else
			((float *)matrix.bytes)[i] = value;
	}
	return matrix;
}

static uint64_t extent(struct stream *stream)
{
	return stream_below(stream, 4) == 0 ? 32 * (1 + stream_below(stream, 3))
					    : 1 + stream_below(stream, 100);
}

static float held(float value, enum element element)
{
	return element == ELEMENT_BF16 ? nearest_bf16(value) : value;
}

static void check_at(const struct matrix *out, uint64_t row, uint64_t column, float expected)
{
	float seen = at(out, row, column), wanted = held(expected, out->element);

	if (float_bits(seen) != float_bits(wanted))
		fail_msg("row %llu, column %llu of %llu x %llu is %a, expected %a",
			(unsigned long long)row, (unsigned long long)column,
			(unsigned long long)out->rows, (unsigned long long)out->columns,
			(double)seen, (double)wanted);
}

/* Computes one sum in the order that the header defines. */
static float in_order(const struct matrix *left, const struct matrix *right,
	const struct matrix_order *order, uint64_t row, uint64_t column)
{
	volatile float product, sum = 0;
	uint64_t block = order->block * 32;

	for (uint64_t k = 0; k < left->columns; k++) {
		if (block && k > 0 && k % block == 0)
			sum = held(held(sum, order->partial), order->registers);
		product = at(left, row, k) * at(right, k, column);
		sum = sum + product;
		if (k % 16 == 15 || k + 1 == left->columns)
			sum = held(sum, order->registers);
	}
	return sum;
}

TEST(products_of_random_extents_are_in_order)
{
	struct stream stream;

	stream_init(&stream, 1, "products");
	for (int i = 0; i < 60; i++) {
		uint64_t m = extent(&stream), k = extent(&stream), n = extent(&stream);
		struct matrix_order order = {elements[stream_below(&stream, 2)],
			elements[stream_below(&stream, 2)], stream_below(&stream, 3)};
		struct matrix left = random_matrix(&stream, elements[i % 2], m, k);
		struct matrix right = random_matrix(&stream, elements[i / 2 % 2], k, n);
		struct matrix out = matrix_of(elements[i / 4 % 2], m, n);

		matrix_multiply(&left, &right, &order, &out);
		for (uint64_t j = 0; j < m * n; j++)
			check_at(&out, j / n, j % n, in_order(&left, &right, &order, j / n, j % n));
		free(left.bytes);
		free(right.bytes);
		free(out.bytes);
	}
}

/* With f32 sums the distance from doubles is within the bound for the number of roundings. */
TEST(products_are_near_to_doubles)
{
	const struct matrix_order order = {ELEMENT_F32, ELEMENT_F32, 0};
	struct stream stream;
	struct matrix left, right, out;

	stream_init(&stream, 1, "near");
	left = random_matrix(&stream, ELEMENT_BF16, 40, 500);
	right = random_matrix(&stream, ELEMENT_BF16, 500, 50);
	out = matrix_of(ELEMENT_F32, 40, 50);
	matrix_multiply(&left, &right, &order, &out);
	for (uint64_t i = 0; i < 40 * 50; i++) {
		double exact = 0, magnitude = 0, seen = (double)at(&out, i / 50, i % 50);

		for (uint64_t k = 0; k < 500; k++) {
			double product =
				(double)at(&left, i / 50, k) * (double)at(&right, k, i % 50);

			exact += product;
			magnitude += fabs(product);
		}
		if (fabs(seen - exact) > 501 * 0x1p-24 * magnitude)
			fail_msg("%g is %g", exact, seen);
	}
	free(left.bytes);
	free(right.bytes);
	free(out.bytes);
}

static float applied(enum compute_binary op, float left, float right)
{
	return op == COMPUTE_ADD	? left + right
	       : op == COMPUTE_SUBTRACT ? left - right
					: left * right;
}

TEST(two_matrices_of_random_extents_give_a_third)
{
	struct stream stream;

	stream_init(&stream, 1, "binary");
	for (int i = 0; i < 96; i++) {
		enum compute_binary op = (enum compute_binary)(i % COMPUTE_BINARY_COUNT);
		enum compute_broadcast broadcast =
			(enum compute_broadcast)(i / 3 % COMPUTE_BROADCAST_COUNT);
		bool row = broadcast == COMPUTE_ROW || broadcast == COMPUTE_SCALAR;
		bool column = broadcast == COMPUTE_COLUMN || broadcast == COMPUTE_SCALAR;
		enum element registers = elements[stream_below(&stream, 2)];
		uint64_t m = extent(&stream), n = extent(&stream);
		struct matrix left = random_matrix(&stream, elements[i % 2], m, n);
		struct matrix right =
			random_matrix(&stream, elements[i / 2 % 2], row ? 1 : m, column ? 1 : n);
		struct matrix out = matrix_of(elements[i / 4 % 2], m, n);

		matrix_binary(op, &left, &right, broadcast, registers, &out);
		for (uint64_t j = 0; j < m * n; j++)
			check_at(&out, j / n, j % n,
				held(applied(op, at(&left, j / n, j % n),
					     at(&right, row ? 0 : j / n, column ? 0 : j % n)),
					registers));
		matrix_copy(&left, registers, &out);
		for (uint64_t j = 0; j < m * n; j++)
			check_at(&out, j / n, j % n, held(at(&left, j / n, j % n), registers));
		free(left.bytes);
		free(right.bytes);
		free(out.bytes);
	}
}

static float combined(enum compute_reduction op, float a, float b)
{
	volatile float sum = a + b;

	return op == COMPUTE_SUM ? sum : a > b ? a : b;
}

/* Reduces a row or a column of a tile that ends at `count`; padding must have no effect. */
static float along_one(enum compute_reduction op, const struct matrix *in, uint64_t row,
	uint64_t column, bool rightwards, uint64_t count)
{
	float value = at(in, row, column);

	for (uint64_t i = 1; i < count; i++)
		value = combined(op, value,
			at(in, rightwards ? row : row + i, rightwards ? column + i : column));
	return value;
}

static uint64_t up_to_32(uint64_t first, uint64_t end)
{
	return end - first < 32 ? end - first : 32;
}

static float expected_of(enum compute_reduction op, enum compute_along along,
	const struct matrix *in, enum element registers, uint64_t row, uint64_t column)
{
	float value = op == COMPUTE_MAX ? -INFINITY : 0;

	if (along == COMPUTE_ALONG_ROWS) {
		for (uint64_t x = 0; x < in->columns; x += 32)
			value = held(
				combined(op, value,
					along_one(op, in, row, x, true, up_to_32(x, in->columns))),
				registers);
		return value;
	}
	for (uint64_t y = 0; y < in->rows; y += 32) {
		uint64_t high = up_to_32(y, in->rows);

		if (along == COMPUTE_ALONG_COLUMNS) {
			value = held(combined(op, value, along_one(op, in, y, column, false, high)),
				registers);
			continue;
		}
		for (uint64_t x = 0; x < in->columns; x += 32) {
			float tile = along_one(op, in, y, x, false, high);

			for (uint64_t i = 1; i < up_to_32(x, in->columns); i++)
				tile = combined(op, tile, along_one(op, in, y, x + i, false, high));
			value = held(combined(op, value, tile), registers);
		}
	}
	return value;
}

/* Also maxima of matrices with only negative values, where zero padding would be wrong. */
TEST(reductions_of_random_extents_are_in_order)
{
	struct stream stream;

	stream_init(&stream, 1, "reduce");
	for (int i = 0; i < 72; i++) {
		enum compute_reduction op = (enum compute_reduction)(i % COMPUTE_REDUCTION_COUNT);
		enum compute_along along = (enum compute_along)(i / 2 % COMPUTE_ALONG_COUNT);
		enum element registers = elements[stream_below(&stream, 2)];
		uint64_t m = extent(&stream), n = extent(&stream);
		struct matrix in = random_matrix(&stream, ELEMENT_F32, m, n), out;

		for (uint64_t j = 0; j < m * n && i % 4 == 1; j++)
			((float *)in.bytes)[j] -= 3;
		out = matrix_of(elements[i / 6 % 2], along == COMPUTE_ALONG_ROWS ? m : 1,
			along == COMPUTE_ALONG_COLUMNS ? n : 1);
		matrix_reduce(op, along, &in, registers, &out);
		for (uint64_t j = 0; j < out.rows * out.columns; j++)
			check_at(&out, j / out.columns, j % out.columns,
				expected_of(op, along, &in, registers, j / out.columns,
					j % out.columns));
		free(in.bytes);
		free(out.bytes);
	}
}

TEST_MAIN(NULL, NULL)
