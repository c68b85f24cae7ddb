/* Makes multicast trees over climbing hops, by breadth. */
#include <stdlib.h>

#include "base/allocate.h"
#include "plane_private.h"

/* A tree while it grows. */
struct growth {
	const struct control_plane *plane;
	struct control_node *nodes;
	uint32_t *state;   /* [node] the state in which a packet arrives */
	uint32_t *node_of; /* [device - first device of the mesh] its node, or TABLES_NONE */
	uint32_t count, first;
};

static void growth_begin(struct growth *growth, const struct plane_mesh *mesh, uint32_t source)
{
	for (uint32_t i = 0; i < mesh->count; i++)
		growth->node_of[i] = TABLES_NONE;
	growth->first = mesh->first;
	growth->count = 1;
	growth->nodes[0] = (struct control_node){.device = source, .hop = {HOP_HERE, 0}};
	growth->state[0] = TABLES_NONE;
	growth->node_of[source - mesh->first] = 0;
}

static void growth_add(struct growth *growth, uint32_t parent, uint32_t state)
{
	uint32_t device = plane_arc_of(growth->plane, state)->to;

	growth->node_of[device - growth->first] = growth->count;
	growth->state[growth->count] = state;
	growth->nodes[growth->count++] = (struct control_node){
		.device = device, .parent = parent, .hop = plane_hop_of(growth->plane, state)};
}

/* Returns the VC with the lowest number on which a packet goes on from a node over an arc, from
 * `vc` on; TABLES_NONE if there is none. */
static uint32_t growth_lowest(const struct growth *growth, uint32_t node, uint32_t arc)
{
	const struct control_plane *plane = growth->plane;
	uint32_t in = growth->state[node], best = TABLES_NONE;

	for (uint32_t state = arc * plane->vcs; state < (arc + 1) * plane->vcs; state++)
		if (plane->number[state] != TABLES_NONE &&
			(in == TABLES_NONE || plane_climbs(plane, in, state)) &&
			(best == TABLES_NONE || plane->number[state] < plane->number[best]))
			best = state;
	return best;
}

/* Adds the devices that a node reaches next; in the order of numbers, so that packets stay in rows
 * as long as they can. */
static void growth_spread(struct growth *growth, uint32_t node)
{
	const struct control_plane *plane = growth->plane;
	uint32_t device = growth->nodes[node].device;

	for (;;) {
		uint32_t best = TABLES_NONE;

		for (uint32_t arc = plane->first[device]; arc < plane->first[device + 1]; arc++) {
			uint32_t state;

			if (plane->arcs[arc].exit ||
				growth->node_of[plane->arcs[arc].to - growth->first] != TABLES_NONE)
				continue;
			state = growth_lowest(growth, node, arc);
			if (state != TABLES_NONE &&
				(best == TABLES_NONE || plane->number[state] < plane->number[best]))
				best = state;
		}
		if (best == TABLES_NONE)
			return;
		growth_add(growth, node, best);
	}
}

/* Removes the nodes that lead to no member, and returns the number of those that stay. */
static uint32_t growth_prune(struct growth *growth)
{
	uint32_t *new_number = allocate((size_t)growth->count + 1, sizeof(*new_number)), kept = 0;
	bool *stays = allocate((size_t)growth->count + 1, sizeof(*stays));

	stays[0] = true;
	for (uint32_t i = growth->count; i-- > 1;) {
		stays[i] |= growth->nodes[i].member;
		stays[growth->nodes[i].parent] |= stays[i];
	}
	for (uint32_t i = 0; i < growth->count; i++) {
		if (!stays[i])
			continue;
		new_number[i] = kept;
		growth->nodes[kept] = growth->nodes[i];
		growth->nodes[kept++].parent = new_number[growth->nodes[i].parent];
	}
	free(new_number);
	free(stays);
	return kept;
}

/* Grows a tree to all devices of the mesh. Whatever states come first, none is left out. In
 * `order`, the only turns are from rows to columns. With up-down routes: of the devices that are
 * reached, take the one that stands first. It was not reached downwards, since the one before it
 * would stand before it; so it can go on to its parent, unless it is the root. From the root, each
 * device is reached from its parent, because a step down from there climbs whatever the state. */
static void growth_run(struct growth *growth, const struct plane_mesh *mesh, uint32_t source)
{
	growth_begin(growth, mesh, source);
	for (uint32_t node = 0; node < growth->count; node++)
		growth_spread(growth, node);
}

uint32_t control_plane_tree(const struct control_plane *plane, uint32_t source,
	const uint32_t *members, uint32_t member_count, struct arena *arena,
	struct control_node **nodes)
{
	const struct plane_mesh *mesh;
	struct growth growth = {.plane = plane};
	uint32_t count = 0, i = 0;

	if (source >= plane->device_count || !plane->tables[source])
		return 0;
	mesh = &plane->meshes[plane->mesh_of[source]];
	growth.nodes = arena_array(arena, mesh->count, sizeof(*growth.nodes));
	growth.state = allocate(mesh->count, sizeof(*growth.state));
	growth.node_of = allocate(mesh->count, sizeof(*growth.node_of));
	growth_run(&growth, mesh, source);
	for (; i < member_count; i++) {
		uint32_t chip = members[i] - mesh->first;

		if (members[i] < mesh->first || chip >= mesh->count ||
			growth.node_of[chip] == TABLES_NONE)
			break;
		growth.nodes[growth.node_of[chip]].member = members[i] != source;
	}
	if (i == member_count)
		count = growth_prune(&growth);
	*nodes = growth.nodes;
	free(growth.state);
	free(growth.node_of);
	return count;
}
