/* Conversion of elements between types, and conversion of row-major data to tiles and back. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

#include <stdint.h>

#include "layout/element.h"

/* Convert `count` values between f32 and bf16. The conversion to bf16 rounds to nearest, ties to
 * even; a NaN stays a NaN. The conversion to f32 is exact. */
void convert_to_bf16(const float *in, uint16_t *out, uint64_t count);
void convert_from_bf16(const uint16_t *in, float *out, uint64_t count);

/* Converts floats of 16 bits with an exponent of 5 bits (ELEMENT_F16) to f32, which is exact. */
void convert_from_f16(const uint16_t *in, float *out, uint64_t count);

/* Rounds values to bf16 in place. */
void convert_round_to_bf16(float *values, uint64_t count);

/* Converts `count` elements from one type to another. Either the types are equal and not block
 * formats, or both are f32 or bf16. */
void convert_elements(
	enum element from, const void *in, enum element to, void *out, uint64_t count);

/* Convert `blocks` blocks of ELEMENT_BLOCK values to block format, or back. All values of a block
 * share the exponent of the largest value. `exponents` has one byte per block. `mantissas` has one
 * byte per value: a sign and 7 bits, rounded to nearest, ties to even. A value becomes zero if it
 * is too small for the exponent of its block, or if it is denormal. */
void convert_to_blocks(const float *in, uint8_t *exponents, uint8_t *mantissas, uint64_t blocks);
void convert_from_blocks(
	const uint8_t *exponents, const uint8_t *mantissas, float *out, uint64_t blocks);

/* Like convert_to_blocks() and convert_from_blocks(), except that each value has only 4 bits: a
 * sign and 3 bits. Two values share a byte; the first of them is in the lower half. */
void convert_to_nibbles(const float *in, uint8_t *exponents, uint8_t *nibbles, uint64_t blocks);
void convert_from_nibbles(
	const uint8_t *exponents, const uint8_t *nibbles, float *out, uint64_t blocks);

/* Tiles and faces. The functions below turn a matrix of scalars in rows into tiles, and back. A
 * tile consists of faces, which are stored one after the other. A face has 16 columns, and 16 rows
 * or fewer. Each copy moves one row of a face, that is, 16 elements. Only the padded functions
 * accept matrices that do not consist of whole tiles. */

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

/* Like tilize() and untilize(), for matrices of any size. tiled_bytes() returns the size of the
 * tiles. Parts of tiles can lie outside the matrix. tilize_padded() fills them with the lowest
 * bytes of `fill`; untilize_padded() ignores them. */
uint64_t tiled_bytes(
	uint64_t rows, uint64_t columns, struct tile_shape tile, uint32_t element_bytes);
void tilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes, uint32_t fill);
void untilize_padded(const void *in, void *out, uint64_t rows, uint64_t columns,
	struct tile_shape tile, uint32_t element_bytes);

#endif
