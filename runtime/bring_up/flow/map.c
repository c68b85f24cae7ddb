/* The steps in which meshes are mapped to chips, by the mapper of topology/place.h. Each actor pays
 * for its own mapping, although ranks with the same view share the result. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "flow_private.h"

/* A mapping that ranks share. */
struct mapping {
	bool good;
	uint32_t few; /* rank that sees fewer chips than its part needs, or LOGICAL_NONE */
	struct text why;
	struct arena arena;
	uint32_t *image;
};

static void mapping_free(void *value)
{
	struct mapping *mapping = value;

	text_fini(&mapping->why);
	arena_fini(&mapping->arena);
	free(mapping);
}

/* Sets the chips that each rank of the logical graph may have: those that the ranks see whose
 * bindings name this part of the mesh. */
static void set_domains(
	const struct flow_self *self, struct mapping *mapping, struct solve_domain *domains)
{
	const struct logical *logical = self->run->job->logical;
	const struct machine *view = self->view;

	mapping->few = LOGICAL_NONE;
	for (uint32_t i = 0; i < self->rank_count; i++) {
		const struct flow_rank *rank = &self->ranks[i];
		uint32_t part = logical_rank(logical, rank), count = 0;
		uint32_t *chips;

		if (part == LOGICAL_NONE || domains[part].chips)
			continue;
		chips = arena_array(&mapping->arena, view->chip_count + 1u, sizeof(*chips));
		for (uint32_t chip = 0; chip < view->chip_count; chip++) {
			bool seen = rank->device_count == 0;

			for (uint32_t k = 0; k < rank->device_count && !seen; k++)
				seen = view->chips[chip].device == rank->devices[k];
			if (seen && view->chips[chip].host == rank->host)
				chips[count++] = chip;
		}
		domains[part] = (struct solve_domain){chips, count};
	}
	for (uint32_t part = 0; part < logical->rank_count; part++)
		if (domains[part].count < rank_size(logical, part) && mapping->few == LOGICAL_NONE)
			mapping->few = part;
}

/* Returns the graph of one mesh alone. */
static struct logical one_mesh(const struct logical *logical, uint32_t number, struct arena *arena)
{
	const struct logical_mesh *mesh = &logical->meshes[number];
	struct logical alone = {.mesh_count = 1,
		.device_count = mesh->count,
		.rank_count = mesh->host_rows * mesh->host_columns};

	alone.meshes = arena_alloc(arena, sizeof(*alone.meshes));
	*alone.meshes = *mesh;
	alone.meshes->first = alone.meshes->first_rank = 0;
	alone.meshes->instance = LOGICAL_NONE;
	alone.links = arena_array(arena, logical->link_count + 1u, sizeof(*alone.links));
	for (uint32_t i = 0; i < logical->link_count; i++) {
		struct logical_link link = logical->links[i];

		if (link.a < mesh->first || link.a >= mesh->first + mesh->count)
			continue;
		link.a -= mesh->first;
		link.b -= mesh->first;
		alone.links[alone.link_count++] = link;
	}
	return alone;
}

/* Maps one graph, and copies the chips of its devices. */
static bool map_graph(const struct flow_self *self, const struct logical *logical,
	const struct solve_domain *domains, bool relaxed, uint32_t *image, struct text *why)
{
	struct place_options options = {.ranks = domains, .relaxed = relaxed, .quick = true};
	struct mesh_placement *placement;
	bool good;

	options.budget = self->run->job->options.budget;
	placement = topology_place(logical, self->view, &options);
	good = placement->verdict == SOLVE_FOUND;
	if (good)
		memcpy(image, placement->image, logical->device_count * sizeof(*image));
	else
		text_append(why, placement->how);
	mesh_placement_free(placement);
	return good;
}

static void map_view(const struct flow_self *self, bool each, struct mapping *mapping)
{
	const struct logical *logical = self->run->job->logical;
	struct solve_domain *domains =
		arena_array(&mapping->arena, logical->rank_count + 1u, sizeof(*domains));

	mapping->image = arena_array(&mapping->arena, logical->device_count + 1u, sizeof(uint32_t));
	set_domains(self, mapping, domains);
	mapping->good = mapping->few == LOGICAL_NONE;
	if (!each && mapping->good)
		mapping->good =
			map_graph(self, logical, domains, false, mapping->image, &mapping->why);
	for (uint32_t i = 0; each && mapping->good && i < logical->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[i];
		struct logical alone = one_mesh(logical, i, &mapping->arena);

		mapping->good = map_graph(self, &alone, domains + mesh->first_rank, true,
			mapping->image + mesh->first, &mapping->why);
	}
}

/* Charges the mapping of a graph, or of one of its meshes. */
static void pay_mapping(const struct logical *logical, const struct logical_mesh *mesh)
{
	uint64_t links = logical->link_count, devices = logical->device_count;

	if (mesh)
		world->work(WORK_MAP_DEVICE, mesh->count + links * mesh->count / devices);
	else
		world->work(WORK_MAP_DEVICE, devices + links + logical->connection_count);
}

static bool map_ranks(struct flow_self *self, bool each)
{
	const struct logical *logical = self->run->job->logical;
	const struct logical_mesh *own = logical_find(logical, self->rank.mesh);
	uint64_t key = hash_mix(self->view_key + (each ? 2 : 4)) | 1;
	struct mapping *mapping = flow_memo_find(self->run, key);

	if (!mapping) {
		mapping = allocate(1, sizeof(*mapping));
		map_view(self, each, mapping);
		mapping = flow_memo_keep(self->run, key, mapping, mapping_free);
	}
	pay_mapping(logical, each ? own : NULL);
	world->settle();
	self->image = mapping->image;
	self->image_key = key;
	if (mapping->good)
		return true;
	if (mapping->few != LOGICAL_NONE)
		return flow_catch(self, FLOW_SAYS_LOCAL,
			"part %u of the meshes has fewer chips than devices", mapping->few);
	/* if cables are as described, it is the ranks that do not have the right chips */
	return flow_catch(self, self->run->recabled ? FLOW_SAYS_FAR_END : FLOW_SAYS_LOCAL,
		"the meshes do not fit the chips and cables of the ranks: %s",
		text_string(&mapping->why));
}

bool step_map_mesh(struct flow_self *self)
{
	return map_ranks(self, true);
}

bool step_map_all(struct flow_self *self)
{
	return map_ranks(self, false);
}

bool step_place(struct flow_self *self)
{
	const struct flow_job *job = self->run->job;
	const struct machine *machine = self->collected ? self->collected : job->described;

	pay_mapping(job->logical, NULL);
	self->placement = topology_place(job->logical, machine, &job->options);
	world->settle();
	self->view = machine;
	if (self->placement->verdict == SOLVE_FOUND) {
		self->image = self->placement->image;
		self->placed = ranks_of_image(job->logical, machine, self->image, &self->arena);
		self->placed_count = job->logical->rank_count;
		return true;
	}
	/* what agents have reported is told by step_collect() */
	return flow_catch(self, FLOW_SAYS_PLEASE, "the meshes do not fit the machine: %s",
		self->placement->how);
}
