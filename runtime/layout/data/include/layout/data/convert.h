/* Conversion of elements between types, and conversion of row-major data to tiles and back. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

#include <stdint.h>

#include "layout/element.h"

/* Convert between f32 and bf16. The conversion to bf16 rounds to nearest, ties to even, and keeps
 * NaN as NaN. The conversion to f32 is exact. */
void convert_to_bf16(const float *in, uint16_t *out, uint64_t count);
void convert_from_bf16(const uint16_t *in, float *out, uint64_t count);

/* Converts floats of 16 bits with an exponent of 5 bits (ELEMENT_F16) to f32, which is exact. */
void convert_from_f16(const uint16_t *in, float *out, uint64_t count);

/* Rounds values to bf16 in place. */
void convert_round_to_bf16(float *values, uint64_t count);

/* Converts `count` elements from one type to another. The types must be equal, or be f32 and bf16.
 * They must not be block formats. */
void convert_elements(
	enum element from, const void *in, enum element to, void *out, uint64_t count);

/* Convert `blocks` blocks of ELEMENT_BLOCK values to block format, or back. All values of a block
 * share the exponent of the largest value. `exponents` has one byte per block. `mantissas` has one
 * byte per value: a sign and 7 bits, rounded to nearest, ties to even. Values that are too small
 * for the block, and denormal values, become zero. */
void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks);
void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks);

/* Round `blocks` blocks of ELEMENT_BLOCK values to 4 bits, and convert them back. They work like
 * the two functions above, except that values have a sign and 3 bits. Two values share a byte; the
 * first one is in the lower half. */
void convert_to_nibbles(const float *in, uint8_t *exponents, uint8_t *nibbles, uint64_t blocks);
void convert_from_nibbles(
	const uint8_t *exponents, const uint8_t *nibbles, float *out, uint64_t blocks);

/* Tiles and faces. The functions below turn a matrix of scalars in rows into tiles, and back. A
 * tile is stored as its faces, one after the other. A face has 16 columns, and 16 rows or fewer.
 * Each copy moves one row of a face, 16 elements. Only the padded functions accept partial
 * tiles. */

struct tile_shape {
	uint32_t height, width; /* height: 1, 2, 4, 8, 16 or 32; width: 16 or 32 */
};

/* Convert a matrix of `rows` x `columns` elements of 1, 2 or 4 bytes, which is stored row by row,
 * to tiles or back. `rows` must be a multiple of the tile's height, and `columns` of its width.
 * `in` and `out` have the same size and do not overlap. */
void tilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);
void untilize(const void *in, void *out, uint64_t rows, uint64_t columns, struct tile_shape tile,
	uint32_t element_bytes);

/* Like tilize() and untilize(), for matrices of any extents. tiled_bytes() returns the size of the
 * tiles. tilize_padded() fills the parts of tiles that lie outside the matrix with the lowest bytes
 * of `fill`; untilize_padded() ignores these parts. */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
