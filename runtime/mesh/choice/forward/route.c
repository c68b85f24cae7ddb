/* Routes of broadcasts (spec 3.8.8.2). Each variant names one kind of tree of runtime/fabric. */
#include "mesh/choice/rows.h"

const struct route_ops route_line_column = {
	.entry = {.name = "line-column",
		.description = "along the row where the grid is entered, then along all columns",
		.section = "3.8.8.2",
		.resources = "a link per chip of the grid; over none that wraps around"},
	.tree = fabric_line_columns,
};

const struct route_ops route_ring = {
	.entry = {.name = "ring",
		.description = "along a ring through all chips of the grid, half of it each way",
		.section = "3.8.8.2",
		.resources = "a link per chip of the grid, and never more than two at a router; "
			     "over those that wrap around, too"},
	.tree = fabric_ring,
};

const struct route_ops route_tree = {
	.entry = {.name = "tree",
		.description = "to every chip of the grid by its shortest route",
		.section = "3.8.8.2",
		.resources = "a link per chip of the grid; over those that wrap around, too"},
	.tree = fabric_shortest,
};
