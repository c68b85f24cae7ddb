/* Cuts the rectangle of a broadcast into pieces, each for one multicast (spec 3.8). A multicast of
 * the fabric has at most BOUND_MEMBERS members (world/machine_bounds.h), so a broadcast to more
 * chips takes several multicasts.
 *
 * A broadcast is divided in two steps. First, fabric/grids.h divides the mesh among the initiators
 * (spec 3.8.8.2): each initiator has one grid, and sends only to chips of this grid. Then each
 * initiator cuts the addressed rectangle of its own grid into pieces, and sends one multicast to
 * each piece, in row-major order of the pieces. All pieces belong to one initiator, so the host
 * still copies a broadcast once for each initiator.
 *
 * fabric_pieces(), fabric_pieces_halves() and fabric_pieces_rows() differ in how they cut. Each
 * function writes pieces of at most `most` devices (`most` is at least 1), in row-major order of
 * their first devices, and returns the number of pieces. The pieces are disjoint and cover `range`.
 * `pieces` must have room for one piece per device. */
#ifndef FABRIC_PIECES_H
#define FABRIC_PIECES_H

#include "fabric/shape.h"

/* Returns the number of pieces of `range`. This is the smallest number for which each part of
 * fabric_split(), which makes parts of nearly equal size, has at most `most` devices. `most` is at
 * least 1. */
uint32_t fabric_piece_count(struct device_range range, uint32_t most);

/* Cuts `range` into fabric_piece_count() pieces. */
uint32_t fabric_pieces(struct device_range range, uint32_t most, struct device_range *pieces);

/* Cuts a rectangle that is too large into two halves, and then each half in the same way. Cuts
 * across the longer side; if both sides are equal, cuts between rows. */
uint32_t fabric_pieces_halves(
	struct device_range range, uint32_t most, struct device_range *pieces);

/* Cuts between all rows, and cuts each row that is too large into the fewest possible parts of
 * nearly equal size. A rectangle of at most `most` devices stays in one piece. */
uint32_t fabric_pieces_rows(struct device_range range, uint32_t most, struct device_range *pieces);

#endif
