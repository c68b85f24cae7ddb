/* Tiles in memory, see compute/registers.h: conversion from and to floats. */
#include "compute/registers.h"

#include <string.h>

#include "base/ensure.h"
#include "layout/data/convert.h"

enum { NAN_BITS = 0x7fc00000, INFINITY_BITS = 0x7f800000, SIGN_OFF = 0x7fffffff };

/* number of blocks in a tile: one for each row of a face */
enum { BLOCKS = COMPUTE_ELEMENTS / ELEMENT_BLOCK };

bool compute_has(enum element element)
{
	return element == ELEMENT_F32 || element == ELEMENT_BF16;
}

bool compute_packs(enum element element)
{
	return compute_has(element) || element == ELEMENT_BFP_BF8 || element == ELEMENT_BFP_BF4;
}

void compute_load(const struct compute_tile *tile, float *floats)
{
	const uint8_t *exponents = tile->bytes;

	ensure(compute_packs(tile->element), "arithmetic on %s", element_name(tile->element));
	if (tile->element == ELEMENT_BFP_BF8)
		convert_from_blocks(exponents, exponents + BLOCKS, floats, BLOCKS);
	else if (tile->element == ELEMENT_BFP_BF4)
		convert_from_nibbles(exponents, exponents + BLOCKS, floats, BLOCKS);
	else
		convert_elements(tile->element, tile->bytes, ELEMENT_F32, floats, COMPUTE_ELEMENTS);
}

void compute_store(const float *floats, enum element element, void *out)
{
	float told[COMPUTE_ELEMENTS];
	uint8_t *exponents = out;

	ensure(compute_packs(element), "arithmetic on %s", element_name(element));
	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++) {
		uint32_t bits;

		memcpy(&bits, &floats[i], sizeof bits);
		bits = (int32_t)(bits & SIGN_OFF) > INFINITY_BITS ? NAN_BITS : bits;
		memcpy(&told[i], &bits, sizeof bits);
	}
	if (element == ELEMENT_BFP_BF8)
		convert_to_blocks(told, exponents, exponents + BLOCKS, BLOCKS);
	else if (element == ELEMENT_BFP_BF4)
		convert_to_nibbles(told, exponents, exponents + BLOCKS, BLOCKS);
	else
		convert_elements(ELEMENT_F32, told, element, out, COMPUTE_ELEMENTS);
}
