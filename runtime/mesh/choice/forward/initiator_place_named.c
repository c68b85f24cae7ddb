/* The place of initiators `named`: the user names the chips. plan_grids.c checks the names. */
#include "mesh/choice/rows.h"

static uint64_t named_rank(const struct grid_candidate *candidate)
{
	return candidate->named ? 0 : UINT64_MAX - 1;
}

const struct initiator_place_ops initiator_place_named = {
	.entry = {.name = "named",
		.description = "the chips that initiator_chips names",
		.section = "3.8.8.2",
		.resources = "as with `centre`, on the chips named"},
	.named = true,
	.rank = named_rank,
};
