/* The variant `least-loaded` of the initiator's place: the chip with PCIe that has the fewest other
 * stages. Broadcasts then share the chip's PCIe, NoC and links with as little other traffic as
 * possible. */
#include "mesh/choice/rows.h"

static uint64_t least_loaded_rank(const struct grid_candidate *candidate)
{
	return (uint64_t)candidate->load << 32 | fabric_grid_reach(candidate);
}

const struct initiator_place_ops initiator_place_least_loaded = {
	.entry = {.name = "least-loaded",
		.description =
			"the chip with PCIe that has the fewest stages of open meshes, those "
			"of this mesh's devices behind it included; of equal ones that of "
			"`centre`",
		.section = "3.8.8.2",
		.resources = "as with `centre`, on the chip that has the most left"},
	.rank = least_loaded_rank,
};
