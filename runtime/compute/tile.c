/* Tiles in memory, see compute/registers.h: conversion from and to floats. */
#include "compute/registers.h"

#include <string.h>

#include "base/ensure.h"
#include "layout/data/convert.h"

enum { NAN_BITS = 0x7fc00000, INFINITY_BITS = 0x7f800000, SIGN_OFF = 0x7fffffff };

bool compute_has(enum element element)
{
	return element == ELEMENT_F32 || element == ELEMENT_BF16;
}

void compute_load(const struct compute_tile *tile, float *floats)
{
	ensure(compute_has(tile->element), "arithmetic on %s", element_name(tile->element));
	convert_elements(tile->element, tile->bytes, ELEMENT_F32, floats, COMPUTE_ELEMENTS);
}

void compute_store(const float *floats, enum element element, void *out)
{
	float told[COMPUTE_ELEMENTS];

	ensure(compute_has(element), "arithmetic on %s", element_name(element));
	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++) {
		uint32_t bits;

		memcpy(&bits, &floats[i], sizeof bits);
		bits = (int32_t)(bits & SIGN_OFF) > INFINITY_BITS ? NAN_BITS : bits;
		memcpy(&told[i], &bits, sizeof bits);
	}
	convert_elements(ELEMENT_F32, told, element, out, COMPUTE_ELEMENTS);
}
