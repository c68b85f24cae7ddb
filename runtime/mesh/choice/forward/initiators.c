/* Variants with a multicast initiator for each row, column or gateway of the mesh (spec 3.8.8.2),
 * instead of a fixed number of initiators. fabric/grids.h divides the mesh into grids and chooses
 * the chips that become initiators. */
#include "mesh/choice/rows.h"

#define INITIATORS_ROW(row, what, split_, description_)                                            \
	const struct initiators_ops initiators_per_##row = {                                       \
		.entry = {.name = "per-" #row,                                                     \
			.description = description_,                                               \
			.section = "3.8.8.2",                                                      \
			.resources = "an issue queue, a prefetch_h and a packetizer per " what     \
				     " and queue"},                                                \
		.split = split_}

INITIATORS_ROW(row, "row", GRIDS_ROWS, "an initiator for each row of the mesh");
INITIATORS_ROW(column, "column", GRIDS_COLUMNS, "an initiator for each column of the mesh");
INITIATORS_ROW(gateway, "gateway", GRIDS_GATEWAYS,
	"every chip with PCIe initiates for the devices that it serves");
