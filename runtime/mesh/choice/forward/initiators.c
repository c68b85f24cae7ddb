/* Multicast initiators by what they stand for (spec 3.8.8.2), beside a plain number of them. How a
 * mesh is cut, and who initiates, is the fabric's (fabric/grids.h). */
#include "mesh/choice/rows.h"

const struct initiators_ops initiators_per_row = {
	.entry = {.name = "per-row",
		.description = "an initiator for each row of the mesh",
		.section = "3.8.8.2",
		.resources = "an issue queue, a prefetch_h and a packetizer per row and queue"},
	.split = GRIDS_ROWS,
};

const struct initiators_ops initiators_per_column = {
	.entry = {.name = "per-column",
		.description = "an initiator for each column of the mesh",
		.section = "3.8.8.2",
		.resources = "an issue queue, a prefetch_h and a packetizer per column and queue"},
	.split = GRIDS_COLUMNS,
};

const struct initiators_ops initiators_per_gateway = {
	.entry = {.name = "per-gateway",
		.description = "every chip with PCIe initiates for the devices that it serves",
		.section = "3.8.8.2",
		.resources = "an issue queue, a prefetch_h and a packetizer per gateway and queue"},
	.split = GRIDS_GATEWAYS,
};
