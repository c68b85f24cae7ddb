/* Conversion of element types: among f32, bf16 and, in rows of a face, bfp_bf8. All loops are
 * plain, so that the compiler vectorizes them. element_converts() lists the supported pairs. */
#ifndef LAYOUT_DATA_CONVERT_H
#define LAYOUT_DATA_CONVERT_H

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

#endif
