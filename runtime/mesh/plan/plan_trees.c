/* Chooses the tree along which the broadcasts of a queue reach a broadcast grid. It is the grid's
 * own tree, or a copy of it on another virtual channel (spec 3.8.2), as runtime.forward.channels
 * says. */
#include "base/refuse.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"
#include "world/bounds.h"

/* Returns a copy of the grid's tree for a queue, on a virtual channel other than channel 0. The
 * queues take the channels 1, 2 and so on in turn. */
static struct fabric_tree *own_tree(
	const struct plan *plan, uint32_t grid, uint32_t queue, struct arena *arena)
{
	struct fabric_tree *tree = arena_alloc(arena, sizeof(*tree));

	*tree = *plan->grid[grid].tree;
	tree->beside = plan->grid[grid].tree;
	tree->channel = (uint8_t)(1 + queue % (plan->graph.info->fabric_channels - 1));
	return tree;
}

enum status trees_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why)
{
	bool own = config->forward.channels->own;

	if (plan->grids > 0 && own && plan->graph.info->fabric_channels < 2)
		return refuse(why, STATUS_UNSUPPORTED,
			"broadcasts with a virtual channel of their own, but links of platform %s "
			"have one for all",
			plan->graph.info->platform);
	plan->pieces = config->forward.pieces;
	plan->multicast_members = config->forward.multicast_members
					  ? config->forward.multicast_members
					  : BOUND_MEMBERS;
	for (uint32_t queue = 0; queue < plan->queues; queue++)
		for (uint32_t grid = 0; grid < plan->grids; grid++) {
			struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];

			at->tree = own ? own_tree(plan, grid, queue, arena) : plan->grid[grid].tree;
			at->multicasts =
				plan_multicasts(plan, queue, grid, plan->grid[grid].range, arena);
		}
	return STATUS_OK;
}
