/* Inside of programs/reference: tiles of matrices in rows. */
#ifndef MATRIX_PRIVATE_H
#define MATRIX_PRIVATE_H

#include "programs/reference/matrix.h"

/* A tile and its memory. */
struct matrix_tile {
	float bytes[COMPUTE_ELEMENTS];
	struct compute_tile tile;
};

/* How many tiles stand over an extent. */
uint64_t matrix_tiles(uint64_t extent);

/* Tile (row, column) of a matrix; where there is no element, zeros, or with `least` -infinity. */
void matrix_tile_get(const struct matrix *matrix, uint64_t row, uint64_t column, bool least,
	struct matrix_tile *out);

/* Register 0 as tile (row, column), as far as there are elements. */
void matrix_tile_put(const struct compute_registers *registers, uint64_t row, uint64_t column,
	struct matrix *out);

#endif
