/* Builds multicast trees of shortest routes (spec 3.8.8.2): the route from the initiator to each
 * chip of a part of a mesh has the minimal number of hops. Routes may use wrap-around links and
 * chips outside this part. detour.c finds routes around holes. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "fabric/tree.h"
#include "path.h"

/* Adds the route to `target` to the tree: each chip of the route that is not in the tree yet.
 * Returns false if no links lead to `target`. */
static bool add_way(const struct fabric_graph *graph, uint16_t initiator, uint16_t target,
	uint16_t *way, uint16_t *before)
{
	uint32_t hops = target == initiator ? 0 : fabric_way(graph, initiator, target, way);

	for (uint32_t hop = 1; hop <= hops; hop++)
		if (before[way[hop]] == CHIP_NONE)
			before[way[hop]] = way[hop - 1];
	return hops > 0 || target == initiator;
}

enum status fabric_shortest(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree)
{
	uint32_t machine = graph->info->chip_count;
	uint16_t *way, *before, lost = CHIP_NONE;
	bool *member;

	if (graph->order != NULL)
		return fabric_detour_tree(graph, mesh, range, initiator, arena, why, tree);
	way = allocate(machine, sizeof(*way));
	before = allocate(machine, sizeof(*before));
	member = allocate(machine, sizeof(*member));
	for (uint32_t i = 0; i < machine; i++)
		before[i] = CHIP_NONE;
	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++) {
			uint16_t chip = virtual_mesh_chip(mesh, row, column);

			member[chip] = true;
			if (!add_way(graph, initiator, chip, way, before))
				lost = chip;
		}
	if (lost == CHIP_NONE)
		*tree = fabric_grow(graph, initiator, before, member, arena);
	free(way);
	free(before);
	free(member);
	return lost == CHIP_NONE
		       ? STATUS_OK
		       : refuse(why, STATUS_NOT_FOUND, "no links lead from chip %u to chip %u",
				 initiator, lost);
}
