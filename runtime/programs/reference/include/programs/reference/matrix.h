/* The expected results of programs on tiles: operations on whole row-major matrices, computed tile
 * by tile in the same order as on cores, so that a program's result can be compared byte for byte.
 * The functions simulate nothing and take no simulated time.
 *
 * Matrices may have any extents. Tiles at the right and bottom edges are padded with values that do
 * not change the result, and the padding is removed again. Results are the same for every grid of
 * cores, because each tile of a result is computed by one core. See flow 7 of the specification. */
#ifndef PROGRAMS_REFERENCE_MATRIX_H
#define PROGRAMS_REFERENCE_MATRIX_H

#include "compute/operations.h"

/* A matrix with row-major elements without gaps, f32 or bf16, aligned to 2 bytes. If it is a
 * result, the functions write its elements. */
struct matrix {
	enum element element;
	uint64_t rows, columns; /* at least 1 */
	void *bytes;
};

/* Copies a matrix and converts it to the element type of `out`. Both must have the same extents. */
void matrix_copy(const struct matrix *in, enum element registers, struct matrix *out);

/* Computes out = left op right, element by element. If `broadcast` is COMPUTE_EACH, `right` has the
 * extents of `left`. Otherwise `right` is one row with as many columns as `left`, one column with
 * as many rows, or one element. `out` always has the extents of `left`. */
void matrix_binary(enum compute_binary op, const struct matrix *left, const struct matrix *right,
	enum compute_broadcast broadcast, enum element registers, struct matrix *out);

/* How a product is accumulated along its inner extent. `registers` is the element type of the
 * registers. If the inner extent is longer than `block` tiles, the sums are stored in memory after
 * every `block` tiles, packed as `partial`, and accumulation continues from the stored values. If
 * `block` is 0, sums are never stored in between. */
struct matrix_order {
	enum element registers, partial;
	uint64_t block;
};

/* Computes out = left times right; the extents are M x K, K x N and M x N. */
void matrix_multiply(const struct matrix *left, const struct matrix *right,
	const struct matrix_order *order, struct matrix *out);

/* Reduces elements to their sum or maximum: each row to one element (`out` is one column), each
 * column to one element (`out` is one row), or all elements to one (`out` is one element). Tiles
 * are reduced in one register, first from the left, then from the top; see compute_reduce(). */
void matrix_reduce(enum compute_reduction op, enum compute_along along, const struct matrix *in,
	enum element registers, struct matrix *out);

#endif
