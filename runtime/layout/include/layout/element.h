/* Types of tensor elements, their sizes, and the values with which padding is filled. Block formats
 * exist only in tiles: the 16 elements in a row of a face share an exponent. */
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

/* The value of padding, that is, of places without an element (the out-of-bounds value). With
 * FILL_UNDEF, padding becomes zeros, so that runs are reproducible. */
enum fill { FILL_UNDEF, FILL_ZERO, FILL_ONE, FILL_INF, FILL_NEGINF, FILL_COUNT };

enum { ELEMENT_BLOCK = 16 }; /* number of elements that share an exponent in a block format */

/* Return the name of an element type, for example "bf16", and of a fill, for example "undef". */
const char *element_name(enum element element);
const char *fill_name(enum fill fill);

/* Returns the bytes of one element; 0 for block formats. */
uint32_t element_bytes(enum element element);

/* Returns true if the type is a block format, in which several elements share an exponent. Such
 * types exist only in tiles. */
bool element_is_block(enum element element);

/* Returns the bytes of a tile of `height` x `width` elements. For block formats this includes the
 * exponents, which come first. */
uint32_t element_tile_bytes(enum element element, uint32_t height, uint32_t width);

/* Sets *bits to the bit pattern of one element with the value of the fill. A type of n bytes uses
 * the lowest n bytes. For a block format *bits has no meaning, because blocks are filled before
 * they are packed. Returns OK. Returns INVALID, with a sentence in `why`, if the fill is an
 * infinity and the type cannot have one: integers have no infinity, and in a block format an
 * infinity would change the shared exponent. */
enum status element_fill(enum element element, enum fill fill, uint32_t *bits, struct text *why);

/* Returns true if data movement can convert elements of type `from` to type `to`. This is so if the
 * types are equal, or if both are among f32, bf16 and bfp_bf8. */
bool element_converts(enum element from, enum element to);

#endif
