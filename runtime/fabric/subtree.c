/* Builds trees from their links, and subtrees that lead to some of the chips of a tree. All routes
 * of a subtree are routes of the whole tree. So a subtree cannot cause a deadlock that the whole
 * tree cannot cause. */
#include <stdlib.h>

#include "base/allocate.h"
#include "fabric/tree.h"
#include "path.h"

struct fabric_tree *fabric_prune(
	struct fabric_node *nodes, uint32_t count, const bool *member, struct arena *arena)
{
	struct fabric_tree *tree = arena_alloc(arena, sizeof(*tree));
	uint16_t *place = allocate(count, sizeof(*place)), kept = 1;
	bool *needed = allocate(count, sizeof(*needed));

	for (uint32_t i = count - 1; i > 0; i--) {
		nodes[i].deliver = member[nodes[i].chip];
		needed[i] |= nodes[i].deliver;
		needed[nodes[i].parent] |= needed[i];
		tree->deliver_count = (uint16_t)(tree->deliver_count + nodes[i].deliver);
	}
	for (uint32_t i = 1; i < count; i++) {
		struct fabric_node *parent;

		if (!needed[i])
			continue;
		place[i] = kept;
		nodes[kept] = nodes[i];
		nodes[kept].parent = place[nodes[i].parent];
		parent = &nodes[nodes[kept].parent];
		if (parent->child_count++ == 0)
			parent->first_child = kept;
		kept++;
	}
	tree->node_count = kept;
	tree->nodes = nodes;
	free(place);
	free(needed);
	return tree;
}

struct fabric_tree *fabric_subtree(
	const struct fabric_tree *tree, const bool *member, struct arena *arena)
{
	struct fabric_node *nodes = arena_array(arena, tree->node_count, sizeof(*nodes));
	struct fabric_tree *part;

	for (uint32_t i = 0; i < tree->node_count; i++)
		nodes[i] = (struct fabric_node){
			.chip = tree->nodes[i].chip, .parent = tree->nodes[i].parent};
	part = fabric_prune(nodes, tree->node_count, member, arena);
	part->channel = tree->channel;
	part->lane = tree->lane;
	part->cycle = tree->cycle;
	part->flush = tree->flush;
	part->of_machine = tree->of_machine;
	return part;
}

/* Adds the children of a node. The children with the longest remaining routes come first, because a
 * router sends to its children one after the other. */
static uint32_t add_children(const struct fabric_graph *graph, const uint16_t *before,
	const uint16_t *height, struct fabric_node *nodes, uint32_t node, uint32_t count)
{
	uint16_t at = nodes[node].chip;
	uint32_t first = count;

	for (uint32_t i = graph->first[at]; i < graph->first[at + 1u]; i++) {
		uint16_t chip = graph->neighbour[i];
		uint32_t place = count;

		if (before[chip] != at || chip == nodes[0].chip)
			continue;
		for (; place > first && height[nodes[place - 1].chip] < height[chip]; place--)
			nodes[place] = nodes[place - 1];
		nodes[place] = (struct fabric_node){.chip = chip, .parent = (uint16_t)node};
		count++;
	}
	return count;
}

struct fabric_tree *fabric_grow(const struct fabric_graph *graph, uint16_t root,
	const uint16_t *before, const bool *member, struct arena *arena)
{
	uint32_t chips = graph->info->chip_count, count = 1;
	struct fabric_node *nodes = arena_array(arena, chips, sizeof(*nodes));
	uint16_t *height = allocate(chips, sizeof(*height));

	nodes[0].chip = root;
	for (uint32_t node = 0; node < count; node++)
		count = add_children(graph, before, height, nodes, node, count);
	for (uint32_t node = count - 1; node > 0; node--) {
		uint16_t *above = &height[nodes[nodes[node].parent].chip];

		if (*above <= height[nodes[node].chip])
			*above = (uint16_t)(height[nodes[node].chip] + 1);
	}
	count = 1; /* add all nodes again, because their heights are now known */
	for (uint32_t node = 0; node < count; node++)
		count = add_children(graph, before, height, nodes, node, count);
	free(height);
	return fabric_prune(nodes, count, member, arena);
}
