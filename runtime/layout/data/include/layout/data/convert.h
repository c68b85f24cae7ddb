/* Conversion of elements between types, and of row-major data to tiles and back. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

#include <stdint.h>

#include "layout/element.h"

/* Convert between f32 and bf16. To bf16, values are rounded to nearest, ties to even, and NaN stays
 * NaN. To f32, the conversion is exact. */
void convert_to_bf16(const float *in, uint16_t *out, uint64_t count);
void convert_from_bf16(const uint16_t *in, float *out, uint64_t count);

/* Rounds values to bf16 in place. */
void convert_round_to_bf16(float *values, uint64_t count);

/* Converts `count` elements from one type to another. Both types must have bytes for each element:
 * f32 and bf16, or two equal types. */
void convert_elements(
	enum element from, const void *in, enum element to, void *out, uint64_t count);

/* Convert `blocks` blocks of ELEMENT_BLOCK values. All values of a block share one exponent, that
 * of the largest value. `exponents` has a byte per block. `mantissas` has a sign and 7 bits per
 * value, rounded to nearest, ties to even. Values that are too small for the block, and denormal
 * values, become zero. */
void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks);
void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks);

/* Tiles and faces. These functions turn a matrix of scalars in rows into tiles, and back. A tile is
 * stored as its faces of 16 x 16 (or fewer rows), one after the other. Each copy moves one row of a
 * face, 16 elements. Only the padded functions accept partial tiles. */

struct tile_shape {
	uint32_t height, width; /* height and width of a tile: 1 to 32, 16 or 32 */
};

/* The matrix has `rows` x `columns` elements of 1, 2 or 4 bytes, row by row. `rows` must be a
 * multiple of the tile's height, and `columns` of its width. `in` and `out` have the same size and
 * do not overlap. */
void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);
void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);

/* The same functions for matrices of any extents. tilize_padded() fills tiles at the right and
 * lower edges with the lowest bytes of `fill`; untilize_padded() leaves these places out.
 * tiled_bytes() returns the size of the tiles. */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
