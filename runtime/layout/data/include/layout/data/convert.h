/* Conversion of elements between types, and of row-major data to tiles and back. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

#include <stdint.h>

#include "layout/element.h"

/* f32 to bf16, to the nearest, ties to even; NaN stays NaN. Exact the other way. */
void convert_to_bf16(const float *in, uint16_t *out, uint64_t count);
void convert_from_bf16(const uint16_t *in, float *out, uint64_t count);

/* Rounds values to bf16 in place. */
void convert_round_to_bf16(float *values, uint64_t count);

/* `count` elements between types that have bytes of their own: f32, bf16, or equal types. */
void convert_elements(
	enum element from, const void *in, enum element to, void *out, uint64_t count);

/* `blocks` of ELEMENT_BLOCK values that share the largest exponent among them: a byte per block in
 * `exponents`, sign and 7 bits per value in `mantissas`, to the nearest, ties to even. Values too
 * small for the block, and denormal ones, become zero. */
void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks);
void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks);

/* Tiles and faces: turns a matrix of scalars in rows into tiles, each of which is its faces of 16 x
 * 16 (or fewer rows) one after the other; and back. Copies rows of a face, 16 elements, at a time.
 * Only the padded functions accept partial tiles. */

struct tile_shape {
	uint32_t height, width; /* of a tile: 1 to 32, 16 or 32 */
};

/* `rows` x `columns` elements of 1, 2 or 4 bytes, multiples of the tile, row by row in `in`. `out`
 * has as many bytes and does not overlap. */
void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);
void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);

/* The same for any extents: tiles at the right and lower edges are filled with the lowest bytes of
 * `fill`, which untilize_padded() leaves out again. The tiles have tiled_bytes(). */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
