/* A tile in memory: 32 x 32 elements, its four faces of 16 x 16 one after the other (left above,
 * right above, left below, right below), each row by row. Refuses elements that nobody computes on
 * yet: all but f32 and bf16. What a float is, is asked of the compiler here, once. */
#ifndef COMPUTE_TILE_H
#define COMPUTE_TILE_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "layout/element.h"

enum {
	COMPUTE_FACE = 16,
	COMPUTE_FACE_ELEMENTS = COMPUTE_FACE * COMPUTE_FACE,
	COMPUTE_SIDE = 2 * COMPUTE_FACE,
	COMPUTE_ELEMENTS = COMPUTE_SIDE * COMPUTE_SIDE
};

/* 16 is 0 where there is a shorter type with arithmetic of its own. */
_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24 &&
		       (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16),
	"results are the same bytes only where a float is rounded to a float at once");

/* Borrowed. `bytes` has element_tile_bytes() of them, at a multiple of 2. */
struct compute_tile {
	enum element element;
	const void *bytes;
};

/* Whether there is arithmetic on elements of this type: f32 and bf16. */
bool compute_has(enum element element);

/* Where the element of this row and column, each below COMPUTE_SIDE, stands among a tile's. */
static inline uint32_t compute_place(uint32_t row, uint32_t column)
{
	uint32_t face = row / COMPUTE_FACE * 2 + column / COMPUTE_FACE;

	return face * COMPUTE_FACE_ELEMENTS + row % COMPUTE_FACE * COMPUTE_FACE +
	       column % COMPUTE_FACE;
}

/* The tile as COMPUTE_ELEMENTS floats in the same order; exact. */
void compute_load(const struct compute_tile *tile, float *floats);

/* Floats as a tile of `element` in `out`, which is as a tile's bytes: bf16 to the nearest, ties to
 * even. Every NaN becomes the one of no sign and no payload (0x7fc00000, 0x7fc0), since which NaN
 * an operation gives differs between machines. */
void compute_store(const float *floats, enum element element, void *out);

#endif
