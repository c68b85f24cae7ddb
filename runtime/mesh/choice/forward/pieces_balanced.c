/* The variant `balanced` of cutting a broadcast into several multicasts. It cuts the rectangle of
 * devices into as few bands as possible, of nearly equal size. The initiator then sends each packet
 * as few times as possible. */
#include "fabric/pattern.h"
#include "mesh/choice/rows.h"

const struct pieces_ops pieces_balanced = {
	.entry = {.name = "balanced",
		.description =
			"the fewest pieces, of nearly equal size: bands of rows, or of columns",
		.section = "3.8",
		.resources = "a tree per piece on each initiator; the fewest"},
	.cut = fabric_pieces,
};
