/* What programs on tiles have to give: operations on whole matrices in rows, tile by tile in the
 * order in which cores do them, so that a program's result can be compared byte by byte. Nothing
 * runs here, and nothing takes time.
 *
 * Matrices of any extents: what is missing of the tiles at the right and lower edges is made so
 * that it changes no result, and is left out again. All results are the same for every grid of
 * cores, since each tile of a result is one core's. Spec flow 7. */
#ifndef PROGRAMS_REFERENCE_MATRIX_H
#define PROGRAMS_REFERENCE_MATRIX_H

#include "compute/operations.h"

/* Elements in rows without gaps, f32 or bf16, at a multiple of 2. Of a result the bytes are
 * written. */
struct matrix {
	enum element element;
	uint64_t rows, columns; /* 1 or more */
	void *bytes;
};

/* What is done to each matrix: its element becomes that of `out`. Extents are equal. */
void matrix_copy(const struct matrix *in, enum element registers, struct matrix *out);

/* out = left op right, element by element. With a broadcast `right` is one row of as many columns,
 * one column of as many rows, or one element; else it has the extents of `left`, as `out` always
 * has. */
void matrix_binary(enum compute_binary op, const struct matrix *left, const struct matrix *right,
	enum compute_broadcast broadcast, enum element registers, struct matrix *out);

/* How a product is made: what registers hold, and of how many tiles of k sums are made there. If
 * there are more, sums are packed as `partial` after every `block`, wait in memory, and go on from
 * there. A block of 0 is all of k. */
struct matrix_order {
	enum element registers, partial;
	uint64_t block;
};

/* out = left times right: M x K, K x N, M x N. */
void matrix_multiply(const struct matrix *left, const struct matrix *right,
	const struct matrix_order *order, struct matrix *out);

/* Each row to one element (`out` is one column), each column (one row), or all (one element): sums
 * or maxima, tile by tile from the left, then from above, in one register; see compute_reduce(). */
void matrix_reduce(enum compute_reduction op, enum compute_along along, const struct matrix *in,
	enum element registers, struct matrix *out);

#endif
