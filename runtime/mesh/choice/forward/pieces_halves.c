/* The pieces of broadcasts `halves`: a rectangle is halved until each part is small enough, so that
 * pieces are as square as possible, and as many as a power of two for even sides. */
#include "fabric/pieces.h"
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
