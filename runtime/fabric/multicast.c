/* Makes multicast trees over a part of a mesh, on machines without holes; detour.c does this on
 * machines with holes. A tree is a line along the row where it enters the part, with branches along
 * the columns (spec 3.8.8.2). */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/tree.h"
#include "path.h"

/* The state of a tree that is being made. */
struct growth {
	const struct fabric_graph *graph;
	const struct virtual_mesh *mesh;
	struct device_range range;
	uint16_t entry_row, entry_column; /* the place where the tree enters the range */
	struct fabric_node *nodes;
	uint32_t *place; /* [node] row << 16 | column, for nodes inside the range */
	uint32_t count;
};

static uint32_t add_node(struct growth *growth, uint16_t chip, uint32_t parent, bool deliver)
{
	uint32_t index = growth->count++;

	growth->nodes[index] =
		(struct fabric_node){.chip = chip, .parent = (uint16_t)parent, .deliver = deliver};
	return index;
}

/* Adds the device at (row, column) as a child of node `parent`. */
static void multicast_add_device(
	struct growth *growth, uint32_t parent, int32_t row, int32_t column)
{
	uint16_t chip = virtual_mesh_chip(growth->mesh, (uint16_t)row, (uint16_t)column);
	uint32_t node = add_node(growth, chip, parent, true);

	growth->place[node] = (uint32_t)row << 16 | (uint32_t)column;
}

/* Adds the children of a node inside the range. The tree runs from the place of entry along its row
 * in both directions. From each node of this row, it runs up and down the column. */
static void multicast_grow(struct growth *growth, uint32_t node)
{
	const struct device_range *range = &growth->range;
	int32_t row = (int32_t)(growth->place[node] >> 16);
	int32_t column = (int32_t)(growth->place[node] & 0xffff);
	uint32_t first = growth->count;

	if (row == growth->entry_row) {
		if (column <= growth->entry_column && column > range->column0)
			multicast_add_device(growth, node, row, column - 1);
		if (column >= growth->entry_column && column < range->column1)
			multicast_add_device(growth, node, row, column + 1);
	}
	if (row <= growth->entry_row && row > range->row0)
		multicast_add_device(growth, node, row - 1, column);
	if (row >= growth->entry_row && row < range->row1)
		multicast_add_device(growth, node, row + 1, column);
	growth->nodes[node].first_child = (uint16_t)(growth->count > first ? first : 0);
	growth->nodes[node].child_count = (uint16_t)(growth->count - first);
}

/* Sets the entry to the chip of the range that is nearest to the initiator; if several are equally
 * near, to the first of them in row-major order. Returns false if no chip of the range is
 * reachable. */
static bool find_entry(struct growth *growth, const uint16_t *distance)
{
	uint16_t best = UINT16_MAX;

	for (uint16_t row = growth->range.row0; row <= growth->range.row1; row++)
		for (uint16_t column = growth->range.column0; column <= growth->range.column1;
			column++) {
			uint16_t chip = virtual_mesh_chip(growth->mesh, row, column);

			if (distance[chip] >= best)
				continue;
			best = distance[chip];
			growth->entry_row = row;
			growth->entry_column = column;
		}
	return best != UINT16_MAX;
}

/* Adds the route from the initiator to the chip of entry. Returns the node of that chip. */
static uint32_t add_approach(struct growth *growth, uint16_t initiator, uint16_t *distance)
{
	uint16_t entry = virtual_mesh_chip(growth->mesh, growth->entry_row, growth->entry_column);
	uint32_t node = add_node(growth, initiator, 0, false);
	uint16_t chip = initiator;

	fabric_graph_distances(growth->graph, entry, distance);
	while (chip != entry) {
		chip = fabric_next_hop(growth->graph, chip, distance);
		growth->nodes[node].first_child = (uint16_t)growth->count;
		growth->nodes[node].child_count = 1;
		node = add_node(growth, chip, node, chip == entry);
	}
	growth->place[node] = (uint32_t)growth->entry_row << 16 | growth->entry_column;
	return node;
}

enum status fabric_line_columns(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree)
{
	uint32_t chips = graph->info->chip_count, deliver = 0;
	struct growth growth = {.graph = graph, .mesh = mesh, .range = range};
	enum status status = STATUS_OK;
	uint16_t *distance;

	ensure(device_range_valid(range, mesh->shape), "range outside the mesh");
	if (graph->order != NULL)
		return fabric_detour_tree(graph, mesh, range, initiator, arena, why, tree);
	distance = allocate(chips, sizeof(*distance));
	growth.place = allocate(chips, sizeof(*growth.place));
	fabric_graph_distances(graph, initiator, distance);
	if (!find_entry(&growth, distance)) {
		status = refuse(why, STATUS_NOT_FOUND, "chip %u reaches no chip of the sub-grid",
			initiator);
		goto out;
	}
	growth.nodes = arena_array(arena, chips, sizeof(*growth.nodes));
	for (uint32_t node = add_approach(&growth, initiator, distance); node < growth.count;
		node++)
		multicast_grow(&growth, node);
	for (uint32_t i = 0; i < growth.count; i++)
		deliver += growth.nodes[i].deliver;
	*tree = arena_alloc(arena, sizeof(**tree));
	**tree = (struct fabric_tree){.node_count = (uint16_t)growth.count,
		.deliver_count = (uint16_t)deliver,
		.nodes = growth.nodes};
out:
	free(growth.place);
	free(distance);
	return status;
}
