/* Cuts the rectangle of a broadcast into pieces, each for one multicast (spec 3.8). A multicast of
 * the fabric has at most BOUND_MEMBERS members (world/machine_bounds.h), so a broadcast to more
 * chips takes several multicasts.
 *
 * The rule has two steps. First, initiators share a mesh as fabric/grids.h says (spec 3.8.8.2):
 * each has one grid, and sends to no chip outside of it. Then each initiator cuts the addressed
 * rectangle of its own grid into pieces, and sends one multicast to each piece, in row-major order
 * of the pieces. All pieces belong to one initiator, so the host still copies a broadcast once for
 * each initiator. A rectangle of at most BOUND_MEMBERS chips is one piece. */
#ifndef FABRIC_PIECES_H
#define FABRIC_PIECES_H

#include "fabric/shape.h"

/* Returns the number of pieces of `range`: the smallest number for which the parts of
 * fabric_split(), whose sizes are nearly equal, have at most `most` devices each. `most` is at
 * least 1. */
uint32_t fabric_piece_count(struct device_range range, uint32_t most);

/* Cuts `range` into fabric_piece_count() pieces, in row-major order. The pieces are disjoint and
 * cover the range. */
void fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces);

#endif
