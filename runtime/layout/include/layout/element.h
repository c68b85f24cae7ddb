/* Types of tensor elements, their sizes, and the values that fill places without an element. Block
 * formats exist only in tiles: the 16 elements of a row of a face share their exponent. */
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

/* The out-of-bounds value. Undefined padding is written as zeros, so that runs are reproducible. */
enum fill { FILL_UNDEF, FILL_ZERO, FILL_ONE, FILL_INF, FILL_NEGINF, FILL_COUNT };

enum { ELEMENT_BLOCK = 16 }; /* elements that share an exponent in a block format */

/* "bf16"; "undef". */
const char *element_name(enum element element);
const char *fill_name(enum fill fill);

/* Bytes of one element; 0 for block formats. */
uint32_t element_bytes(enum element element);

/* True if elements share exponents, so the type exists in tiles only. */
bool element_is_block(enum element element);

/* Bytes of a tile of `height` x `width` elements. For block formats this includes the exponents,
 * which come first. */
uint32_t element_tile_bytes(enum element element, uint32_t height, uint32_t width);

/* Returns the bits of the fill in an element that is not in a block; only the lowest bytes count.
 * Returns INVALID, with a sentence in `why`, if the type has no such value: integers have no
 * infinity, and an infinity in a block would change the exponent of the other values of the
 * block. */
enum status element_fill(enum element element, enum fill fill, uint32_t *bits, struct text *why);

/* True if data movement can convert `from` to `to`: the types are equal, or both are among f32,
 * bf16 and bfp_bf8. */
bool element_converts(enum element from, enum element to);

#endif
