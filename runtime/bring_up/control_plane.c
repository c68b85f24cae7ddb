/* Makes a control plane from its parts, and answers questions about it. */
#include "bring_up/control_plane.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "plane_private.h"

const char *control_scheme_name(enum control_scheme scheme)
{
	static const char *const names[] = {"order", "layers", "updown"};

	return names[scheme];
}

/* Allocates the tables of all chips. Returns OK, or NO_SPACE with a sentence in `why`. */
static enum status make_storage(
	struct control_plane *plane, const struct machine *machine, struct text *why)
{
	uint64_t bytes = 0, most = 0;

	plane->storage = arena_array(&plane->arena, plane->device_count, sizeof(*plane->storage));
	plane->tables = arena_array(&plane->arena, plane->device_count, sizeof(*plane->tables));
	for (uint32_t i = 0; i < plane->device_count; i++) {
		const struct plane_mesh *mesh = &plane->meshes[plane->mesh_of[i]];
		struct chip_tables *tables = &plane->storage[i];
		uint64_t entries;

		*tables = (struct chip_tables){.device = i,
			.mesh = plane->mesh_of[i],
			.chip = i - mesh->first,
			.first_device = mesh->first,
			.mesh_chips = mesh->count,
			.device_count = plane->device_count,
			.mesh_count = plane->mesh_count,
			.vcs = (uint8_t)plane->vcs,
			.port_count = plane->first[i + 1] - plane->first[i]};
		if (plane->chip_of[i] == MACHINE_NONE)
			continue;
		tables->asic = machine->chips[plane->chip_of[i]].id;
		plane->tables[i] = tables;
		entries = ((uint64_t)mesh->count + plane->mesh_count) * tables_rows(tables);
		most = entries > most ? entries : most;
		bytes += entries * sizeof(struct hop);
	}
	if (most > TABLES_ENTRIES_MAX)
		return refuse(why, STATUS_NO_SPACE, "%llu table entries of a chip, %u allowed",
			(unsigned long long)most, TABLES_ENTRIES_MAX);
	return bytes <= CONTROL_BYTES_MAX ? STATUS_OK
					  : refuse(why, STATUS_NO_SPACE,
						    "routing tables of %llu MiB, %llu MiB allowed",
						    (unsigned long long)(bytes >> 20),
						    (unsigned long long)(CONTROL_BYTES_MAX >> 20));
}

/* Allocates a table in which all hops are HOP_NONE. */
static const struct hop *empty_hops(struct arena *arena, size_t count)
{
	struct hop *hops = arena_array(arena, count, sizeof(*hops));

	for (size_t i = 0; i < count; i++)
		hops[i].port = HOP_NONE;
	return hops;
}

static void make_empty_tables(struct control_plane *plane)
{
	for (uint32_t i = 0; i < plane->device_count; i++) {
		struct chip_tables *tables = &plane->storage[i];
		struct router_exit *exits;
		size_t rows = tables_rows(tables);

		if (!plane->tables[i])
			continue;
		tables->within = empty_hops(&plane->arena, rows * tables->mesh_chips);
		tables->between = empty_hops(&plane->arena, rows * tables->mesh_count);
		exits = arena_array(&plane->arena, tables->mesh_count, sizeof(*exits));
		for (uint32_t m = 0; m < tables->mesh_count; m++)
			exits[m].device = TABLES_NONE;
		tables->exits = exits;
	}
}

static int compare_losses(const void *left, const void *right)
{
	const struct control_loss *a = left, *b = right;

	if (a->chip != b->chip)
		return a->chip < b->chip ? -1 : 1;
	return (a->channel > b->channel) - (a->channel < b->channel);
}

/* Returns a copy of the options whose losses are sorted, in memory of `arena`. */
static struct control_options sorted_options(
	const struct control_options *given, struct arena *arena)
{
	struct control_options options = {.vcs_max = TABLES_VCS_MAX};
	struct control_loss *lost;

	if (!given)
		return options;
	lost = arena_array(arena, given->lost_count, sizeof(*lost));
	if (given->lost_count) {
		memcpy(lost, given->lost, given->lost_count * sizeof(*lost));
		qsort(lost, given->lost_count, sizeof(*lost), compare_losses);
	}
	options.lost = lost;
	options.lost_count = given->lost_count;
	if (given->vcs_max > 0 && given->vcs_max < TABLES_VCS_MAX)
		options.vcs_max = given->vcs_max;
	return options;
}

/* Returns the bytes of the tables of all chips as messages. */
static uint64_t message_bytes(const struct control_plane *plane)
{
	struct text text = {0};
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < plane->device_count; i++) {
		text_clear(&text);
		bytes += plane->tables[i] ? tables_write(plane->tables[i], &text) : 0;
	}
	text_fini(&text);
	return bytes;
}

struct control_plane *control_plane_new(const struct logical *logical,
	const struct machine *machine, const uint32_t *image, const struct control_options *options,
	struct text *why)
{
	struct control_plane *plane = allocate(1, sizeof(*plane));
	struct control_options sorted = sorted_options(options, &plane->arena);
	enum status status = plane_graph_make(plane, logical, machine, image, &sorted, why);

	if (status == STATUS_OK)
		status = plane_order_devices(plane, why);
	if (status == STATUS_OK) {
		plane_order_meshes(plane);
		status = plane_number_make(plane, sorted.vcs_max, why);
	}
	if (status == STATUS_OK)
		status = make_storage(plane, machine, why);
	if (status != STATUS_OK) {
		control_plane_free(plane);
		return NULL;
	}
	make_empty_tables(plane);
	plane_roles_make(plane, machine, &sorted);
	plane_route_make(plane);
	plane_trees_make(plane, machine);
	plane->bytes = message_bytes(plane);
	return plane;
}

void control_plane_free(struct control_plane *plane)
{
	if (!plane)
		return;
	arena_fini(&plane->arena);
	free(plane);
}

struct control_facts control_plane_facts(const struct control_plane *plane)
{
	struct control_facts facts = {.devices = plane->device_count,
		.meshes = plane->mesh_count,
		.vcs = plane->vcs,
		.trees = plane->tree_count,
		.groups = plane->group_count,
		.bytes = plane->bytes};

	for (uint32_t i = 0; i < plane->device_count; i++) {
		const struct chip_tables *tables = plane->tables[i];

		if (!tables)
			continue;
		facts.chips++;
		for (uint32_t k = 0; k < tables->router_count; k++) {
			const struct router *router = &tables->routers[k];

			facts.routers[router->role]++;
			facts.routers_other_host +=
				router->role != ROUTER_IDLE && router->other_host;
		}
	}
	return facts;
}

enum control_scheme control_plane_scheme(const struct control_plane *plane, uint32_t mesh)
{
	return plane->meshes[mesh].scheme;
}

const struct chip_tables *control_plane_tables(const struct control_plane *plane, uint32_t device)
{
	return device < plane->device_count ? plane->tables[device] : NULL;
}

const struct chip_tables *const *control_plane_all(const struct control_plane *plane)
{
	return plane->tables;
}
