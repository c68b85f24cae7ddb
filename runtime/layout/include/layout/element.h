/* Types of tensor elements, their sizes, and the values that fill places without an element. Block
 * formats exist only in tiles: the 16 elements in a row of a face share their exponent. */
#ifndef LAYOUT_ELEMENT_H
#define LAYOUT_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum element {
#define X(name, text, bytes) ELEMENT_##name,
#include "layout/element.def"
#undef X
	ELEMENT_COUNT
};

/* The value of places without an element (the out-of-bounds value). With FILL_UNDEF, padding
 * becomes zeros, so that runs are reproducible. */
enum fill { FILL_UNDEF, FILL_ZERO, FILL_ONE, FILL_INF, FILL_NEGINF, FILL_COUNT };

enum { ELEMENT_BLOCK = 16 }; /* elements that share an exponent in a block format */

/* "bf16"; "undef". */
const char *element_name(enum element element);
const char *fill_name(enum fill fill);

/* Bytes of one element; 0 for block formats. */
uint32_t element_bytes(enum element element);

/* Returns true if elements of the type share exponents. Such a type exists only in tiles. */
bool element_is_block(enum element element);

/* Returns the bytes of a tile of `height` x `width` elements. For block formats this includes the
 * exponents, which come first. */
uint32_t element_tile_bytes(enum element element, uint32_t height, uint32_t width);

/* Sets *bits to the bit pattern of the fill as one element; a type of n bytes uses the lowest n
 * bytes. For a block format *bits means nothing, because blocks are filled before they are packed.
 * Returns OK, or INVALID with a sentence in `why` if the fill is an infinity and the type cannot
 * have one. Integers have no infinity; in a block format, an infinity would change the exponent
 * that the elements share. */
enum status element_fill(enum element element, enum fill fill, uint32_t *bits, struct text *why);

/* Returns true if data movement can convert `from` to `to`: the types are equal, or both are among
 * f32, bf16 and bfp_bf8. */
bool element_converts(enum element from, enum element to);

#endif
