/* Random tensors and layouts from a seed: ranks 1 to 7, any collapse, gaps, grids, tiles, spaces.
 */
#ifndef RANDOM_LAYOUT_H
#define RANDOM_LAYOUT_H

#include "base/stream.h"
#include "layout/layout.h"

/* A layout that layout_init() accepts, of `elements` elements at most, and of a type that `movable`
 * elements of the tensor can be turned into. */
void random_layout(struct stream *stream, uint64_t elements, struct layout *layout);

/* A uniform number from `least` to `most`. */
uint64_t random_between(struct stream *stream, uint64_t least, uint64_t most);

#endif
