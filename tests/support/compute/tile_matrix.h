/* A tile as a matrix, for tests: its elements by row and column, into the bytes of a tile and out
 * of a register, one by one and by the definition of faces, not by the code that is tested. */
#ifndef TEST_TILE_MATRIX_H
#define TEST_TILE_MATRIX_H

#include "base/stream.h"
#include "compute/registers.h"

struct tile_matrix {
	float at[32][32];
};

/* A tile and its memory. */
struct tile_bytes {
	struct compute_tile tile;
	uint8_t bytes[4096];
};

float bits_float(uint32_t bits);
uint32_t float_bits(float value);

/* To the nearest bf16, ties to even, as a float: by arithmetic on doubles. Of finite values. */
float nearest_bf16(float value);

/* Values of either sign between 2^-5 and 2^5, such as `element` has; integers from -limit to limit.
 */
void matrix_random(struct stream *stream, enum element element, struct tile_matrix *out);
void matrix_random_integers(struct stream *stream, int limit, struct tile_matrix *out);

/* Values that `element` has; those of bf16 are cut, not rounded. */
void matrix_to_tile(const struct tile_matrix *matrix, enum element element, struct tile_bytes *out);

/* What is packed from a register as f32. */
void matrix_of_register(
	const struct compute_registers *registers, uint32_t index, struct tile_matrix *out);

#endif
