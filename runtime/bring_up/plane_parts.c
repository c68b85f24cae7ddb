/* Gives each chip its parts of the multicast trees. There is one tree for each rank, to all chips
 * of its mesh: from the rank's first chip with PCIe, at which its host's broadcasts enter. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "plane_private.h"

/* The parts and hops of all chips, which one pass counts and the next one fills. */
struct parts {
	struct control_plane *plane;
	uint32_t *part_count, *hop_count; /* [device] */
	struct tree_part **parts;	  /* [device]; NULL while they are counted */
	struct hop **hops;
	uint32_t *copies; /* [node] of the tree at hand */
	uint32_t copies_capacity;
};

/* Adds the parts of a tree. The nodes to which a node sends copies stand one after another. */
static void parts_add_tree(struct parts *all, const struct control_node *nodes, uint32_t count)
{
	const struct control_plane *plane = all->plane;

	for (uint32_t i = 0; i < count; i++)
		all->copies[i] = 0;
	for (uint32_t i = 1; i < count; i++)
		all->copies[nodes[i].parent]++;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = nodes[i].device, at = all->part_count[device]++;
		struct tree_part part = {.source = nodes[0].device,
			.in_port = HOP_HERE,
			.out_count = (uint8_t)all->copies[i],
			.first_out = all->hop_count[device]};

		if (i > 0) {
			uint32_t parent = nodes[nodes[i].parent].device;

			part.in_port = plane->storage[parent].ports[nodes[i].hop.port].peer_port;
			part.in_vc = nodes[i].hop.vc;
			if (all->hops)
				all->hops[parent][all->hop_count[parent]] = nodes[i].hop;
			all->hop_count[parent]++;
		}
		if (all->parts)
			all->parts[device][at] = part;
	}
}

/* Returns the source of a rank's tree: TABLES_NONE if no device of the rank has a chip. */
static uint32_t tree_source(const struct control_plane *plane, const struct machine *machine,
	const struct plane_mesh *mesh, uint32_t rank)
{
	uint32_t first = TABLES_NONE;

	for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i++) {
		if (plane->rank_of[i] != rank || plane->chip_of[i] == MACHINE_NONE)
			continue;
		if (machine->chips[plane->chip_of[i]].pcie)
			return i;
		first = first == TABLES_NONE ? i : first;
	}
	return first;
}

static void parts_add_mesh(
	struct parts *all, const struct machine *machine, const struct plane_mesh *mesh)
{
	const struct control_plane *plane = all->plane;
	uint32_t *members = allocate((size_t)mesh->count + 1, sizeof(*members)), count = 0;
	uint32_t last = plane->rank_of[mesh->first + mesh->count - 1];
	struct arena arena = {0};

	for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i++)
		if (plane->chip_of[i] != MACHINE_NONE)
			members[count++] = i;
	for (uint32_t rank = plane->rank_of[mesh->first]; rank <= last; rank++) {
		uint32_t source = tree_source(plane, machine, mesh, rank);
		struct control_node *nodes;

		if (source == TABLES_NONE)
			continue;
		ensure(control_plane_tree(plane, source, members, count, &arena, &nodes) == count,
			"a tree from device %u does not reach its mesh", source);
		parts_add_tree(all, nodes, count);
		all->plane->tree_count += all->parts != NULL;
		arena_fini(&arena);
	}
	free(members);
}

static void parts_add_all(struct parts *all, const struct machine *machine)
{
	size_t bytes = all->plane->device_count * sizeof(uint32_t);

	memset(all->part_count, 0, bytes);
	memset(all->hop_count, 0, bytes);
	for (uint32_t m = 0; m < all->plane->mesh_count; m++)
		parts_add_mesh(all, machine, &all->plane->meshes[m]);
}

static int compare_parts(const void *left, const void *right)
{
	const struct tree_part *a = left, *b = right;

	return (a->source > b->source) - (a->source < b->source);
}

void plane_trees_make(struct control_plane *plane, const struct machine *machine)
{
	size_t count = (size_t)plane->device_count + 1;
	struct parts all = {.plane = plane,
		.part_count = allocate(count, sizeof(uint32_t)),
		.hop_count = allocate(count, sizeof(uint32_t)),
		.copies = allocate(count, sizeof(uint32_t))};
	struct tree_part **parts = allocate(count, sizeof(struct tree_part *));
	struct hop **hops = allocate(count, sizeof(struct hop *));

	parts_add_all(&all, machine);
	for (uint32_t i = 0; i < plane->device_count; i++) {
		struct chip_tables *tables = &plane->storage[i];

		parts[i] = arena_array(&plane->arena, all.part_count[i], sizeof(**parts));
		hops[i] = arena_array(&plane->arena, all.hop_count[i], sizeof(**hops));
		tables->parts = parts[i];
		tables->hops = hops[i];
		tables->part_count = all.part_count[i];
		tables->hop_count = all.hop_count[i];
	}
	all.parts = parts;
	all.hops = hops;
	parts_add_all(&all, machine);
	for (uint32_t i = 0; i < plane->device_count; i++)
		if (all.part_count[i])
			qsort(parts[i], all.part_count[i], sizeof(**parts), compare_parts);
	free(all.part_count);
	free(all.hop_count);
	free(all.copies);
	free(parts);
	free(hops);
}
