/* Draws random tensors and layouts from a seed. Tensors have 1 to 7 dimensions. Layouts have any
 * way to collapse dimensions, and any gaps, grids, tiles and memory spaces. */
#ifndef RANDOM_LAYOUT_H
#define RANDOM_LAYOUT_H

#include "base/stream.h"
#include "layout/layout.h"

/* Draws a layout that layout_init() accepts, with at most `elements` elements. The elements of the
 * tensor can be converted to the type of the layout. */
void random_layout(struct stream *stream, uint64_t elements, struct layout *layout);

/* Returns a random number from `least` to `most`. All numbers are equally likely. */
uint64_t random_between(struct stream *stream, uint64_t least, uint64_t most);

#endif
