/* A tile as a matrix, for tests. The functions write the elements into the bytes of a tile, or read
 * them from a register, one by one. They follow the definition of the faces of a tile, and do not
 * use the code under test. */
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

/* Rounds a finite value to the nearest bf16 (ties to even). Computes with doubles. Returns the
 * result as a float. */
float nearest_bf16(float value);

/* Both functions fill a matrix with random values. matrix_random() draws values of either sign,
 * with magnitudes from 2^-5 to 2^5, that `element` can represent. matrix_random_integers() draws
 * integers from -limit to limit. */
void matrix_random(struct stream *stream, enum element element, struct tile_matrix *out);
void matrix_random_integers(struct stream *stream, int limit, struct tile_matrix *out);

/* Converts a matrix to a tile. Each value must already be one that `element` can represent, because
 * a conversion to bf16 truncates, and does not round. */
void matrix_to_tile(const struct tile_matrix *matrix, enum element element, struct tile_bytes *out);

/* Reads the content of a register, packed as f32. */
void matrix_of_register(
	const struct compute_registers *registers, uint32_t index, struct tile_matrix *out);

#endif
