/* The variant `corner` of the initiator's place: the chip with PCIe that is nearest to the upper
 * left chip of the rectangle, as in the figures of the specification. */
#include "mesh/choice/rows.h"

static uint64_t corner_rank(const struct grid_candidate *candidate)
{
	struct device_range range = candidate->range;

	return candidate->distance[virtual_mesh_chip(candidate->mesh, range.row0, range.column0)];
}

const struct initiator_place_ops initiator_place_corner = {
	.entry = {.name = "corner",
		.description = "the chip with PCIe that is nearest to the upper left chip",
		.section = "3.8.8.2",
		.resources = "as with `centre`, on another chip"},
	.rank = corner_rank,
};
