/* What a worker's matrix and vector units do: tiles of memory in, a destination register out.
 * Values are those of IEEE 754 in float32, every product and every sum rounded to the nearest, ties
 * to even, in the order that stands here, so that the bytes are the same on every machine, in both
 * worlds and whatever the compiler. Refuses to know what an operation costs: README.md has the
 * figures.
 *
 * Infinities, NaN, denormal values and negative zeros are those of IEEE 754; which NaN it is, is
 * not told (compute_store()). Operands keep all of their bits: hardware takes fewer of an f32's,
 * and flushes denormal values.
 *
 * In all of them: `to` is the register of the result; a tile may be given twice. With registers of
 * bf16 the result is rounded when it is written: once, but for compute_matmul(). Spec flow 7.2. */
#ifndef COMPUTE_OPERATIONS_H
#define COMPUTE_OPERATIONS_H

#include "compute/registers.h"

enum compute_binary { COMPUTE_ADD, COMPUTE_SUBTRACT, COMPUTE_MULTIPLY, COMPUTE_BINARY_COUNT };

/* Which elements of the second operand stand for all: its first row, taken for every row; its first
 * column, for every column; its first element. */
enum compute_broadcast {
	COMPUTE_EACH,
	COMPUTE_ROW,
	COMPUTE_COLUMN,
	COMPUTE_SCALAR,
	COMPUTE_BROADCAST_COUNT
};

enum compute_reduction { COMPUTE_SUM, COMPUTE_MAX, COMPUTE_REDUCTION_COUNT };

/* What becomes one: the elements of each row, in its first column; those of each column, in its
 * first row; all, in the first element. */
enum compute_along {
	COMPUTE_ALONG_ROWS,
	COMPUTE_ALONG_COLUMNS,
	COMPUTE_ALONG_BOTH,
	COMPUTE_ALONG_COUNT
};

/* The register becomes the tile. */
void compute_copy(
	struct compute_registers *registers, uint32_t to, const struct compute_tile *tile);

/* The register becomes the tile with rows for columns. */
void compute_transpose(
	struct compute_registers *registers, uint32_t to, const struct compute_tile *tile);

/* The register becomes `left` op `right`, element by element. */
void compute_binary(struct compute_registers *registers, uint32_t to, enum compute_binary op,
	const struct compute_tile *left, const struct compute_tile *right,
	enum compute_broadcast broadcast);

/* The matrix product is added to the register: to each of its values left[row][k] *
 * right[k][column], k from 0 to 31, one after the other. Registers of bf16 are rounded after k = 15
 * and after k = 31, as the matrix unit, which takes 16 of k at a time, writes them back. Products
 * are whole: four phases of fidelity, on hardware. */
void compute_matmul(struct compute_registers *registers, uint32_t to,
	const struct compute_tile *left, const struct compute_tile *right);

/* The register's first column, row or element becomes itself op the tile's; all other values become
 * 0. The tile's own: ((x0 op x1) op x2) ..., along rows from the left, along columns from above,
 * along both first each column, then these from the left. compute_clear() stands before the first
 * tile. The maximum of anything and NaN is NaN, and 0 is more than -0. */
void compute_reduce(struct compute_registers *registers, uint32_t to, enum compute_reduction op,
	enum compute_along along, const struct compute_tile *tile);

#endif
