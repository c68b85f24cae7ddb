/* Makes the multicasts of broadcasts. A broadcast to one grid is normally one multicast. If the
 * grid has more members than a multicast may have, the variant of runtime.forward.pieces cuts the
 * broadcast into several multicasts. The trees of multicasts are parts of the grid's tree, so they
 * use only routes of the plan. */
#include <stdlib.h>

#include "base/allocate.h"
#include "fabric/tree.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"
#include "world/bounds.h"

_Static_assert((int)BOUND_CHIPS == (int)CHIP_NONE, "all numbers below CHIP_NONE are chips");

/* Returns the multicast to the devices of `piece`. `all` is true if `piece` contains all devices of
 * the grid. */
static struct broadcast_tree *piece_tree(const struct plan *plan, const struct initiator_plan *at,
	struct device_range piece, bool all, struct arena *arena)
{
	struct broadcast_tree *tree = arena_alloc(arena, sizeof(*tree));
	bool *member = allocate(plan->graph.info->chip_count, sizeof(*member));
	uint16_t *receivers = arena_array(arena, device_range_count(piece), sizeof(*receivers));

	*tree = (struct broadcast_tree){.receivers = receivers};
	for (uint32_t row = piece.row0; row <= piece.row1; row++)
		for (uint32_t column = piece.column0; column <= piece.column1; column++) {
			const struct device_routes *route =
				&plan->routes[row * plan->mesh.shape.columns + column];

			member[route->chip] = true;
			receivers[tree->receiver_count++] = (uint16_t)route->receiver;
		}
	tree->tree = all ? at->tree : fabric_subtree(at->tree, member, arena);
	free(member);
	return tree;
}

/* Returns a multicast without members, for a grid that a broadcast does not address. */
static struct broadcast_tree *no_tree(
	const struct plan *plan, const struct initiator_plan *at, struct arena *arena)
{
	struct broadcast_tree *tree = arena_alloc(arena, sizeof(*tree));
	bool *member = allocate(plan->graph.info->chip_count, sizeof(*member));

	*tree = (struct broadcast_tree){.tree = fabric_subtree(at->tree, member, arena)};
	free(member);
	return tree;
}

struct broadcast_tree *plan_multicasts(const struct plan *plan, uint32_t queue, uint32_t grid,
	struct device_range range, struct arena *arena)
{
	const struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	struct device_range of_grid = plan->grid[grid].range;
	struct broadcast_tree *first = NULL, **next = &first;
	struct device_range part, *pieces;
	uint32_t count;

	if (!device_range_overlap(range, of_grid))
		return no_tree(plan, at, arena);
	part = device_range_shared(range, of_grid);
	pieces = allocate(device_range_count(part), sizeof(*pieces));
	count = plan->pieces->cut(part, plan->multicast_members, pieces);
	for (uint32_t i = 0; i < count; i++) {
		bool all = count == 1 && device_range_covers(part, of_grid);

		*next = piece_tree(plan, at, pieces[i], all, arena);
		next = &(*next)->next;
	}
	free(pieces);
	return first;
}
