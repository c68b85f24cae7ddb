/* Matrices, tile by tile (see programs/reference/reference.h): copies, binary operations, products,
 * and reductions. Padding has values that do not change the result of a reduction. */
#include <math.h>
#include <string.h>

#include "base/ensure.h"
#include "programs/reference/reference.h"

/* A tile and its memory. */
struct matrix_tile {
	float bytes[COMPUTE_ELEMENTS];
	struct compute_tile tile;
};

static uint64_t matrix_tiles(uint64_t extent)
{
	return (extent + COMPUTE_SIDE - 1) / COMPUTE_SIDE;
}

/* Returns the number of rows or columns of this tile that lie inside the matrix. */
static uint32_t matrix_inside(uint64_t extent, uint64_t tile)
{
	uint64_t left = extent - tile * COMPUTE_SIDE;

	return left < COMPUTE_SIDE ? (uint32_t)left : COMPUTE_SIDE;
}

/* Copies the elements of tile (row, column) that lie inside the matrix: to `tile` if `in` is set,
 * otherwise from `tile`. */
static void matrix_move(
	const struct matrix *matrix, uint64_t row, uint64_t column, uint8_t *tile, bool in)
{
	uint32_t bytes = element_bytes(matrix->element);
	uint32_t height = matrix_inside(matrix->rows, row),
		 width = matrix_inside(matrix->columns, column);

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			uint64_t at = (row * COMPUTE_SIDE + y) * matrix->columns +
				      column * COMPUTE_SIDE + x;
			uint8_t *there = (uint8_t *)matrix->bytes + at * bytes;
			uint8_t *here = tile + compute_place(y, x) * bytes;

			memcpy(in ? here : there, in ? there : here, bytes);
		}
}

/* Copies tile (row, column) to *out. Elements outside the matrix are zero, or -infinity if `least`
 * is set. */
static void matrix_tile_get(const struct matrix *matrix, uint64_t row, uint64_t column, bool least,
	struct matrix_tile *out)
{
	float filled[COMPUTE_ELEMENTS];

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
		filled[i] = least ? -INFINITY : 0;
	compute_store(filled, matrix->element, out->bytes);
	matrix_move(matrix, row, column, (uint8_t *)out->bytes, true);
	out->tile = (struct compute_tile){matrix->element, out->bytes};
}

/* Writes register 0 to tile (row, column) of the matrix. Elements outside the matrix are not
 * written. */
static void matrix_tile_put(const struct compute_registers *registers, uint64_t row,
	uint64_t column, struct matrix *out)
{
	float packed[COMPUTE_ELEMENTS];

	compute_pack(registers, 0, out->element, packed);
	matrix_move(out, row, column, (uint8_t *)packed, false);
}

static bool equal_extents(const struct matrix *a, const struct matrix *b)
{
	return a->rows == b->rows && a->columns == b->columns;
}

void matrix_copy(const struct matrix *in, enum element registers, struct matrix *out)
{
	float memory[COMPUTE_ELEMENTS];
	struct compute_registers held;
	struct matrix_tile tile;

	ensure(equal_extents(in, out), "a copy of other extents");
	compute_registers_init(&held, 1, registers, memory);
	for (uint64_t row = 0; row < matrix_tiles(in->rows); row++)
		for (uint64_t column = 0; column < matrix_tiles(in->columns); column++) {
			matrix_tile_get(in, row, column, false, &tile);
			compute_copy(&held, 0, &tile.tile);
			matrix_tile_put(&held, row, column, out);
		}
}

static bool matrix_fits(
	const struct matrix *left, const struct matrix *right, enum compute_broadcast broadcast)
{
	bool row = broadcast == COMPUTE_ROW || broadcast == COMPUTE_SCALAR;
	bool column = broadcast == COMPUTE_COLUMN || broadcast == COMPUTE_SCALAR;

	return right->rows == (row ? 1 : left->rows) &&
	       right->columns == (column ? 1 : left->columns);
}

void matrix_binary(enum compute_binary op, const struct matrix *left, const struct matrix *right,
	enum compute_broadcast broadcast, enum element registers, struct matrix *out)
{
	struct matrix_tile of_left, of_right;
	float memory[COMPUTE_ELEMENTS];
	struct compute_registers held;

	ensure(equal_extents(left, out) && matrix_fits(left, right, broadcast),
		"extents that differ");
	compute_registers_init(&held, 1, registers, memory);
	for (uint64_t row = 0; row < matrix_tiles(left->rows); row++)
		for (uint64_t column = 0; column < matrix_tiles(left->columns); column++) {
			matrix_tile_get(left, row, column, false, &of_left);
			matrix_tile_get(right, right->rows == 1 ? 0 : row,
				right->columns == 1 ? 0 : column, false, &of_right);
			compute_binary(&held, 0, op, &of_left.tile, &of_right.tile, broadcast);
			matrix_tile_put(&held, row, column, out);
		}
}

/* Packs register 0 into memory, and copies it back. */
static void spill(struct compute_registers *registers, enum element partial)
{
	float packed[COMPUTE_ELEMENTS];
	struct compute_tile tile = {partial, packed};

	compute_pack(registers, 0, partial, packed);
	compute_copy(registers, 0, &tile);
}

void matrix_multiply(const struct matrix *left, const struct matrix *right,
	const struct matrix_order *order, struct matrix *out)
{
	uint64_t tiles = matrix_tiles(left->columns), block = order->block ? order->block : tiles;
	struct matrix_tile of_left, of_right;
	float memory[COMPUTE_ELEMENTS];
	struct compute_registers held;

	ensure(left->columns == right->rows && out->rows == left->rows &&
			out->columns == right->columns,
		"a product of other extents");
	compute_registers_init(&held, 1, order->registers, memory);
	for (uint64_t row = 0; row < matrix_tiles(out->rows); row++)
		for (uint64_t column = 0; column < matrix_tiles(out->columns); column++) {
			compute_clear(&held, 0, 0);
			for (uint64_t k = 0; k < tiles; k++) {
				if (k > 0 && k % block == 0)
					spill(&held, order->partial);
				matrix_tile_get(left, row, k, false, &of_left);
				matrix_tile_get(right, k, column, false, &of_right);
				compute_matmul(&held, 0, &of_left.tile, &of_right.tile);
			}
			matrix_tile_put(&held, row, column, out);
		}
}

void matrix_reduce(enum compute_reduction op, enum compute_along along, const struct matrix *in,
	enum element registers, struct matrix *out)
{
	bool each_row = along == COMPUTE_ALONG_ROWS, each_column = along == COMPUTE_ALONG_COLUMNS;
	uint64_t high = matrix_tiles(in->rows), wide = matrix_tiles(in->columns);
	uint64_t results = each_row ? high : each_column ? wide : 1, count = high * wide / results;
	float memory[COMPUTE_ELEMENTS];
	struct compute_registers held;
	struct matrix_tile tile;

	ensure(out->rows == (each_row ? in->rows : 1) &&
			out->columns == (each_column ? in->columns : 1),
		"a reduction of other extents");
	compute_registers_init(&held, 1, registers, memory);
	for (uint64_t i = 0; i < results; i++) {
		compute_clear(&held, 0, op == COMPUTE_MAX ? -INFINITY : 0);
		for (uint64_t j = 0; j < count; j++) {
			uint64_t row = each_row ? i : each_column ? j : j / wide;
			uint64_t column = each_row ? j : each_column ? i : j % wide;

			matrix_tile_get(in, row, column, op == COMPUTE_MAX, &tile);
			compute_reduce(&held, 0, op, along, &tile.tile);
		}
		matrix_tile_put(&held, each_row ? i : 0, each_column ? i : 0, out);
	}
}
