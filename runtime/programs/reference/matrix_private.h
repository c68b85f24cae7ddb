/* Shared parts of programs/reference: tiles of row-major matrices. */
#ifndef MATRIX_PRIVATE_H
#define MATRIX_PRIVATE_H

#include "programs/reference/matrix.h"

/* A tile and its memory. */
struct matrix_tile {
	float bytes[COMPUTE_ELEMENTS];
	struct compute_tile tile;
};

/* The number of tiles that cover an extent. */
uint64_t matrix_tiles(uint64_t extent);

/* Gets tile (row, column) of a matrix. Missing elements are zero, or -infinity with `least`. */
void matrix_tile_get(const struct matrix *matrix, uint64_t row, uint64_t column, bool least,
	struct matrix_tile *out);

/* Writes register 0 to tile (row, column), as far as the matrix has elements. */
void matrix_tile_put(const struct compute_registers *registers, uint64_t row, uint64_t column,
	struct matrix *out);

#endif
