/* The variant `rows` of cutting a broadcast into several multicasts. It cuts the rectangle of
 * devices into rows of the mesh, and each row gets its own multicast. A row with more devices than
 * a multicast may have gets several multicasts. */
#include "fabric/pattern.h"
#include "mesh/choice/rows.h"

const struct pieces_ops pieces_rows = {
	.entry = {.name = "rows",
		.description = "a piece for each row of the mesh, or several for a long row",
		.section = "3.8",
		.resources = "a tree per piece on each initiator; at least one per row"},
	.cut = fabric_pieces_rows,
};
