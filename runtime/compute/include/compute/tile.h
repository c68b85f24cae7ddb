/* A tile in memory: 32 x 32 elements as four faces of 16 x 16, one after the other (top left, top
 * right, bottom left, bottom right), each stored row by row. Only f32 and bf16 are supported. This
 * is the only place that checks the compiler's float type. */
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

/* FLT_EVAL_METHOD is 16 where a shorter type has arithmetic of its own; for float it means the same
 * as 0. */
_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24 &&
		       (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16),
	"results are the same bytes only where a float is rounded to a float at once");

/* Borrowed. `bytes` holds element_tile_bytes() bytes, aligned to 2. */
struct compute_tile {
	enum element element;
	const void *bytes;
};

/* True if arithmetic is supported on this element type: f32 and bf16. */
bool compute_has(enum element element);

/* The index of the element at this row and column in the tile. Both are below COMPUTE_SIDE. */
static inline uint32_t compute_place(uint32_t row, uint32_t column)
{
	uint32_t face = row / COMPUTE_FACE * 2 + column / COMPUTE_FACE;

	return face * COMPUTE_FACE_ELEMENTS + row % COMPUTE_FACE * COMPUTE_FACE +
	       column % COMPUTE_FACE;
}

/* Converts the tile to COMPUTE_ELEMENTS floats in the same order. The conversion is exact. */
void compute_load(const struct compute_tile *tile, float *floats);

/* Converts floats to a tile of `element` in `out`, which is sized and aligned as a tile's bytes.
 * bf16 is rounded to nearest, ties to even. Every NaN is stored as the one without sign or payload
 * (0x7fc00000, 0x7fc0), because machines differ in which NaN an operation returns. */
void compute_store(const float *floats, enum element element, void *out);

#endif
