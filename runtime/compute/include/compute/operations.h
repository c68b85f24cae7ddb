/* Operations of a worker's matrix and vector units. An operation reads tiles from memory and stores
 * the result in a destination register. Values are IEEE 754 float32. Products and sums are computed
 * in the order documented here, and each result is rounded to nearest, ties to even. So results
 * have the same bytes on every machine, in both worlds and with every compiler. The cost of an
 * operation is not modelled here; runtime/compute/README.md has the numbers.
 *
 * Infinities, NaN, denormal values and negative zeros follow IEEE 754, except that the payload of
 * NaN is not specified (see compute_store()). Operands keep all of their bits; hardware uses fewer
 * bits of an f32 and flushes denormal values.
 *
 * In all operations, `to` is the number of the register that receives the result. The same tile may
 * be passed for both operands. If registers are bf16, the result is rounded once, when it is
 * written; only compute_matmul() rounds more often. See flow 7.2 of the specification. */
#ifndef COMPUTE_OPERATIONS_H
#define COMPUTE_OPERATIONS_H

#include "compute/registers.h"

enum compute_binary { COMPUTE_ADD, COMPUTE_SUBTRACT, COMPUTE_MULTIPLY, COMPUTE_BINARY_COUNT };

/* How the second operand is broadcast. EACH: not at all. ROW: its first row is used for every row.
 * COLUMN: its first column is used for every column. SCALAR: its first element is used for the
 * whole tile. */
enum compute_broadcast {
	COMPUTE_EACH,
	COMPUTE_ROW,
	COMPUTE_COLUMN,
	COMPUTE_SCALAR,
	COMPUTE_BROADCAST_COUNT
};

enum compute_reduction { COMPUTE_SUM, COMPUTE_MAX, COMPUTE_REDUCTION_COUNT };

/* Which elements are reduced to one value. ROWS: the elements of each row; the results are in the
 * first column. COLUMNS: the elements of each column; the results are in the first row. BOTH: all
 * elements; the result is in the first element. */
enum compute_along {
	COMPUTE_ALONG_ROWS,
	COMPUTE_ALONG_COLUMNS,
	COMPUTE_ALONG_BOTH,
	COMPUTE_ALONG_COUNT
};

/* Functions of one value x. gelu is x times the probability that a value of the standard normal
 * distribution is below x. silu is x / (1 + exp(-x)). */
enum compute_unary {
	COMPUTE_EXP,
	COMPUTE_RECIPROCAL,
	COMPUTE_SQRT,
	COMPUTE_GELU,
	COMPUTE_SILU,
	COMPUTE_TANH,
	COMPUTE_UNARY_COUNT
};

/* Copies the tile to the register. */
void compute_copy(
	struct compute_registers *registers, uint32_t to, const struct compute_tile *tile);

/* Copies the transposed tile to the register. */
void compute_transpose(
	struct compute_registers *registers, uint32_t to, const struct compute_tile *tile);

/* Sets the register to `left` op `right`, element by element. */
void compute_binary(struct compute_registers *registers, uint32_t to, enum compute_binary op,
	const struct compute_tile *left, const struct compute_tile *right,
	enum compute_broadcast broadcast);

/* Adds the matrix product to the register: adds left[row][k] * right[k][column] to each value, for
 * k from 0 to 31 in order. bf16 registers are rounded after k = 15 and after k = 31, because the
 * matrix unit multiplies for 16 values of k at a time and then writes the register. Products use
 * all bits of the operands; hardware needs four fidelity phases for this. */
void compute_matmul(struct compute_registers *registers, uint32_t to,
	const struct compute_tile *left, const struct compute_tile *right);

/* Reduces the tile, and combines each result with the register's value at the place of the result:
 * value = value op result. Results are in the first column, in the first row, or at the first
 * element. All other values of the register become 0. A result is ((x0 op x1) op x2) ... . Rows are
 * reduced from the left, and columns from the top. If all elements are reduced to one value, first
 * each column is reduced, and then the results of the columns, from the left. Call compute_clear()
 * before the first tile. The maximum of NaN and any value is NaN, and 0 is greater than -0. */
void compute_reduce(struct compute_registers *registers, uint32_t to, enum compute_reduction op,
	enum compute_along along, const struct compute_tile *tile);

/* Replaces each value of the register by a function of the value, as the vector unit does. Results
 * are the same on every machine. Their error is at most one unit in the last place of a float32.
 * Square roots and reciprocals are correctly rounded. The square root of a negative value is NaN.
 * gelu and silu of -infinity are -0, the limit of these functions. */
void compute_unary(struct compute_registers *registers, uint32_t to, enum compute_unary op);

/* Multiply each value of the register by a number, or add a number to it, on the vector unit. */
void compute_scale(struct compute_registers *registers, uint32_t to, float factor);
void compute_offset(struct compute_registers *registers, uint32_t to, float summand);

#endif
