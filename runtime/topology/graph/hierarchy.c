/* Makes a graph whose nodes are the meshes of a machine. For each mesh, counts all chips, and the
 * chips that have links to other meshes. For each pair of meshes, counts the channels between them.
 * Leaves out chips that belong to no mesh. */
#include "topology/machine.h"

#include "base/ensure.h"
#include "topology/solve.h"

struct hierarchy hierarchy_make(const struct machine *machine, const uint32_t *mesh_of,
	uint32_t mesh_count, struct arena *arena)
{
	struct hierarchy hierarchy = {.mesh_count = mesh_count};
	bool *exits = arena_array(arena, (size_t)machine->chip_count + 1, sizeof(*exits));
	struct wired_edge *edges =
		arena_array(arena, (size_t)machine->link_count + 1, sizeof(*edges));
	const struct wired *wired;
	size_t used = 0;

	hierarchy.chips = arena_array(arena, (size_t)mesh_count + 1, sizeof(uint32_t));
	hierarchy.exits = arena_array(arena, (size_t)mesh_count + 1, sizeof(uint32_t));
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];
		uint32_t a = mesh_of[link->a], b = mesh_of[link->b];

		if (a == MACHINE_NONE || b == MACHINE_NONE || a == b)
			continue;
		exits[link->a] = exits[link->b] = true;
		edges[used++] = (struct wired_edge){a, b, link->channels};
	}
	for (uint32_t i = 0; i < machine->chip_count; i++) {
		if (mesh_of[i] == MACHINE_NONE)
			continue;
		ensure(mesh_of[i] < mesh_count, "mesh %u of %u", mesh_of[i], mesh_count);
		hierarchy.chips[mesh_of[i]]++;
		hierarchy.exits[mesh_of[i]] += exits[i];
	}
	wired = wired_new(arena, mesh_count, edges, used);
	hierarchy.joins = arena_array(arena, wired->edge_count, sizeof(*hierarchy.joins));
	for (uint32_t a = 0; a < mesh_count; a++)
		for (uint32_t i = wired->first[a]; i < wired->first[a + 1]; i++)
			if (a < wired->to[i])
				hierarchy.joins[hierarchy.join_count++] = (struct hierarchy_join){
					a, wired->to[i], wired->channels[i]};
	return hierarchy;
}
