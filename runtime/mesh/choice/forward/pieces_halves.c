/* The variant `halves` of cutting a broadcast into several multicasts. It cuts the rectangle of
 * devices in two across its longer side, and repeats this until each piece is small enough. The
 * pieces are then as square as possible. If the sides are powers of two, the number of pieces is a
 * power of two. */
#include "fabric/pattern.h"
#include "mesh/choice/rows.h"

const struct pieces_ops pieces_halves = {
	.entry = {.name = "halves",
		.description =
			"halves of the longer side, halved again until they are small enough",
		.section = "3.8",
		.resources = "a tree per piece on each initiator; up to twice the fewest, or more "
			     "for odd sides"},
	.cut = fabric_pieces_halves,
};
