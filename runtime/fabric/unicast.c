/* Makes shortest routes from chip to chip, in dimension order, as trees with one leaf. The route
 * between two chips is always the same. detour.c makes the routes on machines with holes. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "fabric/tree.h"
#include "path.h"

uint16_t fabric_next_hop(const struct fabric_graph *graph, uint16_t from, const uint16_t *distance)
{
	const struct chip_info *chips = graph->info->chips;
	uint16_t best = CHIP_NONE;

	for (uint32_t i = graph->first[from]; i < graph->first[from + 1]; i++) {
		uint16_t next = graph->neighbour[i];

		if (distance[next] + 1 != distance[from])
			continue;
		if (chips[from].mesh_row >= 0 && chips[next].mesh_row == chips[from].mesh_row)
			return next;
		if (best == CHIP_NONE)
			best = next;
	}
	ensure(best != CHIP_NONE, "chip %u has no neighbour nearer to the target", from);
	return best;
}

uint32_t fabric_way(
	const struct fabric_graph *graph, uint16_t source, uint16_t target, uint16_t *chips)
{
	uint16_t *distance;
	uint32_t hops;

	if (graph->order != NULL)
		return fabric_detour(graph, source, target, chips);
	distance = allocate(graph->info->chip_count, sizeof(*distance));
	fabric_graph_distances(graph, target, distance);
	hops = distance[source] == UINT16_MAX ? 0 : distance[source];
	chips[0] = source;
	for (uint32_t i = 0; i < hops; i++)
		chips[i + 1] = fabric_next_hop(graph, chips[i], distance);
	free(distance);
	return hops;
}

enum status fabric_unicast(const struct fabric_graph *graph, uint16_t source, uint16_t target,
	struct arena *arena, struct fabric_tree **tree)
{
	uint16_t *chips = allocate(graph->info->chip_count, sizeof(*chips));
	enum status status = STATUS_NOT_FOUND;
	struct fabric_node *nodes;
	uint32_t hops;

	ensure(source != target, "a route from chip %u to itself", source);
	hops = fabric_way(graph, source, target, chips);
	if (hops == 0)
		goto out;
	nodes = arena_array(arena, hops + 1, sizeof(*nodes));
	for (uint32_t i = 0; i <= hops; i++)
		nodes[i] = (struct fabric_node){
			.chip = chips[i],
			.parent = (uint16_t)(i > 0 ? i - 1 : 0),
			.first_child = (uint16_t)(i < hops ? i + 1 : 0),
			.child_count = i < hops,
			.deliver = i == hops,
		};
	*tree = arena_alloc(arena, sizeof(**tree));
	**tree = (struct fabric_tree){
		.node_count = (uint16_t)(hops + 1), .deliver_count = 1, .nodes = nodes};
	status = STATUS_OK;
out:
	free(chips);
	return status;
}
