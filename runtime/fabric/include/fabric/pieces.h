/* Cuts the rectangle of a broadcast into pieces, each for one multicast (spec 3.8). A multicast of
 * the fabric has at most BOUND_MEMBERS members (world/machine_bounds.h), so a broadcast to more
 * chips takes several multicasts.
 *
 * The rule has two steps. First, initiators share a mesh as fabric/grids.h says (spec 3.8.8.2):
 * each has one grid, and sends to no chip outside of it. Then each initiator cuts the addressed
 * rectangle of its own grid into pieces, and sends one multicast to each piece, in row-major order
 * of the pieces. All pieces belong to one initiator, so the host still copies a broadcast once for
 * each initiator.
 *
 * fabric_pieces(), fabric_pieces_halves() and fabric_pieces_rows() differ in how they cut. Each
 * writes pieces of at most `most` devices, at least 1, in row-major order of their first devices,
 * and returns how many there are. The pieces are disjoint and cover `range`. `pieces` has room for
 * a piece of each device. */
#ifndef FABRIC_PIECES_H
#define FABRIC_PIECES_H

#include "fabric/shape.h"

/* Returns the number of pieces of `range`: the smallest number for which the parts of
 * fabric_split(), whose sizes are nearly equal, have at most `most` devices each. `most` is at
 * least 1. */
uint32_t fabric_piece_count(struct device_range range, uint32_t most);

/* Cuts into fabric_piece_count() pieces. */
uint32_t fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces);

/* Cuts a rectangle that is too large into two halves along its longer side, between rows if both
 * are equal, and then each half in the same way. */
uint32_t fabric_pieces_halves(
	struct device_range range, uint32_t most, struct device_range *pieces);

/* Cuts between all rows, and a row that is too large into the fewest parts of nearly equal size. A
 * rectangle of at most `most` devices is one piece. */
uint32_t fabric_pieces_rows(struct device_range range, uint32_t most, struct device_range *pieces);

#endif
