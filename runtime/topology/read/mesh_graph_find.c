/* Finds meshes, switches and graphs of a mesh graph descriptor by their names. */
#include <string.h>

#include "read_private.h"

const char *topology_arch_name(enum topology_arch arch)
{
	static const char *const names[] = {
		"INVALID_ARCHITECTURE", "WORMHOLE_B0", "BLACKHOLE", "QUASAR"};

	return names[arch];
}

const struct mgd_mesh *mesh_graph_mesh(const struct mesh_graph *graph, const char *name)
{
	for (uint32_t i = 0; i < graph->mesh_count; i++)
		if (graph->meshes[i].name && strcmp(graph->meshes[i].name, name) == 0)
			return &graph->meshes[i];
	return NULL;
}

const struct mgd_mesh *mesh_graph_switch(const struct mesh_graph *graph, const char *name)
{
	for (uint32_t i = 0; i < graph->switch_count; i++)
		if (graph->switches[i].name && strcmp(graph->switches[i].name, name) == 0)
			return &graph->switches[i];
	return NULL;
}

const struct mgd_graph *mesh_graph_graph(const struct mesh_graph *graph, const char *name)
{
	for (uint32_t i = 0; i < graph->graph_count; i++)
		if (graph->graphs[i].name && strcmp(graph->graphs[i].name, name) == 0)
			return &graph->graphs[i];
	return NULL;
}

enum dim_type mgd_dim_type(const struct mgd_topology *topology, uint32_t dim)
{
	if (dim < topology->type_count)
		return topology->types[dim];
	return dim < topology->old_type_count ? topology->old_types[dim] : DIM_LINE;
}
