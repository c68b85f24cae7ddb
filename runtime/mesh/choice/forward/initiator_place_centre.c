/* The variant `centre` of the initiator's place: the chip with PCIe that needs the fewest hops to
 * its farthest chip of the rectangle. Broadcasts then reach the last chip as early as possible. */
#include "mesh/choice/rows.h"

static uint64_t centre_rank(const struct grid_candidate *candidate)
{
	return fabric_grid_reach(candidate);
}

const struct initiator_place_ops initiator_place_centre = {
	.entry = {.name = "centre",
		.description = "the chip with PCIe that has the fewest hops to the farthest chip",
		.section = "3.8.8.2",
		.resources =
			"an issue queue, a prefetch_h and a packetizer per queue on that chip"},
	.rank = centre_rank,
};
