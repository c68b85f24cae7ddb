/* Checks whether a machine has the links of a topology, and whether routes fit the topology; see
 * fabric/tree.h. */
#include "fabric/tree.h"

#include <stdlib.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "path.h"

static const struct fabric_topology_row topologies[FABRIC_TOPOLOGY_COUNT] = {
	[FABRIC_LINE] = {.entry = {.name = "line", .description = "along rows and columns"}},
	[FABRIC_RING] = {.entry = {.name = "ring",
				 .description = "along rows and columns, also over links that wrap "
						"around"}},
	[FABRIC_MESH] = {.entry = {.name = "mesh", .description = "in two dimensions"}},
	[FABRIC_TORUS] = {.entry = {.name = "torus",
				  .description =
					  "in two dimensions, also over links that wrap around"}},
};

REGISTRY_OF_ARRAY(fabric_topology, fabric_topology_row, "runtime.fabric.topology",
	"topology of the fabric", topologies)

bool fabric_wraps(const struct cluster_info *info, uint16_t from, uint16_t to)
{
	const struct chip_info *a = &info->chips[from], *b = &info->chips[to];
	int down = abs(a->mesh_row - b->mesh_row), right = abs(a->mesh_column - b->mesh_column);

	if (a->mesh_row < 0 || b->mesh_row < 0)
		return false;
	return (down == 0 && right > 1 && right == info->mesh_columns - 1) ||
	       (right == 0 && down > 1 && down == info->mesh_rows - 1);
}

bool fabric_takes(
	enum fabric_topology topology, const struct cluster_info *info, const uint16_t ends[2])
{
	return topology == FABRIC_RING || topology == FABRIC_TORUS ||
	       !fabric_wraps(info, ends[0], ends[1]);
}

enum status fabric_topology_fits(
	enum fabric_topology topology, const struct cluster_info *info, struct text *why)
{
	bool has_edge;

	if (info->machine != NULL)
		info = info->machine;
	has_edge = info->mesh_rows > 1 && info->mesh_columns > 1;
	if (topology != FABRIC_TORUS && (topology != FABRIC_RING || has_edge))
		return STATUS_OK;
	for (uint32_t i = 0; i < info->connection_count; i++)
		if (fabric_wraps(info, info->connections[i].chip[0], info->connections[i].chip[1]))
			return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"fabric topology '%s' takes links that wrap around, and platform %s has none",
		fabric_topology_name(topology), info->platform);
}

/* Returns true if a route from `from` over `at` to `to` changes direction at chip `at`. A route has
 * no direction at chips outside the mesh, so it never turns there. */
static bool turns(const struct cluster_info *info, uint16_t from, uint16_t at, uint16_t to)
{
	const struct chip_info *a = &info->chips[from], *b = &info->chips[at],
			       *c = &info->chips[to];

	if (a->mesh_row < 0 || b->mesh_row < 0 || c->mesh_row < 0)
		return false;
	return (a->mesh_row != b->mesh_row || b->mesh_row != c->mesh_row) &&
	       (a->mesh_column != b->mesh_column || b->mesh_column != c->mesh_column);
}

enum status fabric_topology_routes(
	const struct fabric_graph *graph, const struct fabric_tree *tree, struct text *why)
{
	bool bends = graph->topology == FABRIC_RING && tree != NULL && tree->deliver_count > 1;
	const char *name = fabric_topology_name(graph->topology);

	if (graph->topology == FABRIC_MESH || graph->topology == FABRIC_TORUS)
		return STATUS_OK;
	for (uint32_t i = 1; tree != NULL && i < tree->node_count; i++) {
		const struct fabric_node *node = &tree->nodes[i], *at = &tree->nodes[node->parent];

		if (node->child_count > 1)
			return refuse(why, STATUS_UNSUPPORTED,
				"fabric topology '%s' has one dimension, and a broadcast from chip "
				"%u divides at chip %u; 'mesh' has two",
				name, tree->nodes[0].chip, node->chip);
		if (node->parent != 0 && !bends &&
			turns(graph->info, tree->nodes[at->parent].chip, at->chip, node->chip))
			return refuse(why, STATUS_UNSUPPORTED,
				"fabric topology '%s' has one dimension, and a way from chip %u "
				"turns at chip %u; 'mesh' has two",
				name, tree->nodes[0].chip, at->chip);
	}
	return STATUS_OK;
}
