/* Makes the graph of links that routes may use: the links within each mesh that the descriptor asks
 * for and the machine has, and the links between chips of meshes that a connection joins. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "plane_private.h"

/* Arcs while they are collected. */
struct arc_list {
	struct plane_arc *at;
	size_t count, capacity;
};

bool plane_is_lost(const struct control_options *options, uint32_t chip, uint8_t channel)
{
	uint32_t low = 0, high = options->lost_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct control_loss *loss = &options->lost[middle];

		if (loss->chip == chip && loss->channel == channel)
			return true;
		if (loss->chip < chip || (loss->chip == chip && loss->channel < channel))
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Returns true if a channel of a link is left. */
static bool has_channel(const struct machine *machine, const struct machine_link *link,
	const struct control_options *options)
{
	for (uint32_t i = 0; i < link->channels; i++) {
		const struct machine_cable *cable = &machine->cables[link->first_cable + i];

		if (!plane_is_lost(options, link->a, cable->channel_a) &&
			!plane_is_lost(options, link->b, cable->channel_b))
			return true;
	}
	return false;
}

static void arc_add(struct arc_list *list, struct plane_arc arc)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 256;
		list->at = allocate_more(list->at, list->capacity, sizeof(*list->at));
	}
	list->at[list->count++] = arc;
}

/* Returns OK if each device has a chip of its own, or none. */
static enum status graph_check_image(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct text *why)
{
	uint32_t *device_of = allocate((size_t)machine->chip_count + 1, sizeof(*device_of));
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < logical->device_count && status == STATUS_OK; i++) {
		const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, i)];

		if (image[i] == MACHINE_NONE)
			continue;
		if (image[i] >= machine->chip_count)
			status = refuse(why, STATUS_OUT_OF_RANGE,
				"mesh %u chip %u is on chip %u of a machine with %u", mesh->id,
				i - mesh->first, image[i], machine->chip_count);
		else if (device_of[image[i]]++)
			status = refuse(why, STATUS_EXISTS,
				"mesh %u chip %u is on the chip of another device", mesh->id,
				i - mesh->first);
	}
	free(device_of);
	return status;
}

static void make_meshes(
	struct control_plane *plane, const struct logical *logical, const uint32_t *image)
{
	plane->device_count = logical->device_count;
	plane->mesh_count = logical->mesh_count;
	plane->meshes = arena_array(&plane->arena, plane->mesh_count, sizeof(*plane->meshes));
	plane->mesh_of = arena_array(&plane->arena, plane->device_count, sizeof(uint32_t));
	plane->chip_of = arena_array(&plane->arena, plane->device_count, sizeof(uint32_t));
	plane->rank_of = arena_array(&plane->arena, plane->device_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < plane->mesh_count; i++) {
		const struct logical_mesh *from = &logical->meshes[i];
		struct plane_mesh *mesh = &plane->meshes[i];

		*mesh = (struct plane_mesh){.first = from->first,
			.count = from->count,
			.rows = from->rows,
			.columns = from->columns,
			.ring = {from->ring[0], from->ring[1]}};
		for (uint32_t k = from->first; k < from->first + from->count; k++) {
			plane->mesh_of[k] = i;
			plane->chip_of[k] = image[k];
			plane->rank_of[k] = logical_rank_of(logical, k);
			mesh->present += image[k] != MACHINE_NONE;
		}
		mesh->whole = mesh->present == mesh->count;
	}
}

/* Returns the direction from one device of a mesh to another one of the same row or column; sets
 * *wraps if it leads around the end of a ring. */
static enum router_direction plane_direction_of(
	const struct plane_mesh *mesh, uint32_t from, uint32_t to, bool *wraps)
{
	uint32_t a = from - mesh->first, b = to - mesh->first;
	bool along = a / mesh->columns == b / mesh->columns;
	uint32_t length = along ? mesh->columns : mesh->rows;
	uint32_t one = along ? a % mesh->columns : a / mesh->columns;
	uint32_t two = along ? b % mesh->columns : b / mesh->columns;
	uint32_t apart = one < two ? two - one : one - two;

	*wraps = false;
	if (!along && a % mesh->columns != b % mesh->columns)
		return ROUTER_EXPRESS;
	*wraps = mesh->ring[along] && 2 * apart > length;
	if (along)
		return (one < two) != *wraps ? ROUTER_EAST : ROUTER_WEST;
	return (one < two) != *wraps ? ROUTER_SOUTH : ROUTER_NORTH;
}

static void graph_add_mesh_links(struct control_plane *plane, const struct logical *logical,
	const struct machine *machine, const struct control_options *options, struct arc_list *list)
{
	for (uint32_t i = 0; i < logical->link_count; i++) {
		const struct logical_link *wanted = &logical->links[i];
		uint32_t a = plane->chip_of[wanted->a], b = plane->chip_of[wanted->b];
		struct plane_mesh *mesh = &plane->meshes[plane->mesh_of[wanted->a]];
		const struct machine_link *link = NULL;
		bool wraps, back;
		enum router_direction there, here;

		if (a != MACHINE_NONE && b != MACHINE_NONE)
			link = machine_link_of(machine, a, b);
		there = plane_direction_of(mesh, wanted->a, wanted->b, &wraps);
		here = plane_direction_of(mesh, wanted->b, wanted->a, &back);
		mesh->whole &= link != NULL && there != ROUTER_EXPRESS;
		if (!link || !has_channel(machine, link, options)) {
			mesh->whole = false;
			continue;
		}
		arc_add(list, (struct plane_arc){.from = wanted->a,
				      .to = wanted->b,
				      .link = (uint32_t)(link - machine->links),
				      .direction = (uint8_t)there,
				      .wraps = wraps});
		arc_add(list, (struct plane_arc){.from = wanted->b,
				      .to = wanted->a,
				      .link = (uint32_t)(link - machine->links),
				      .direction = (uint8_t)here,
				      .wraps = back});
	}
}

static bool end_has(const struct logical_end *end, uint32_t device, uint32_t mesh)
{
	return end->device == LOGICAL_NONE ? mesh - end->first_mesh < end->mesh_count
					   : end->device == device;
}

/* Returns true if a connection of the descriptor may use a link between two devices. */
static bool plane_connects(const struct control_plane *plane, const struct logical *logical,
	uint32_t one, uint32_t two)
{
	uint32_t mesh_one = plane->mesh_of[one], mesh_two = plane->mesh_of[two];

	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *connection = &logical->connections[i];
		const struct logical_end *a = &connection->a, *b = &connection->b;

		if ((end_has(a, one, mesh_one) && end_has(b, two, mesh_two)) ||
			(end_has(a, two, mesh_two) && end_has(b, one, mesh_one)))
			return true;
	}
	return false;
}

static void graph_add_exits(struct control_plane *plane, const struct logical *logical,
	const struct machine *machine, const struct control_options *options, struct arc_list *list)
{
	uint32_t *device_of = allocate((size_t)machine->chip_count + 1, sizeof(*device_of));

	for (uint32_t i = 0; i < machine->chip_count; i++)
		device_of[i] = TABLES_NONE;
	for (uint32_t i = 0; i < plane->device_count; i++)
		if (plane->chip_of[i] != MACHINE_NONE)
			device_of[plane->chip_of[i]] = i;
	for (uint32_t i = 0; i < machine->link_count && logical->connection_count; i++) {
		const struct machine_link *link = &machine->links[i];
		uint32_t a = device_of[link->a], b = device_of[link->b];
		struct plane_arc arc = {.link = i, .direction = ROUTER_Z, .exit = true};

		if (a == TABLES_NONE || b == TABLES_NONE ||
			plane->mesh_of[a] == plane->mesh_of[b] ||
			!plane_connects(plane, logical, a, b) ||
			!has_channel(machine, link, options))
			continue;
		arc.from = a;
		arc.to = b;
		arc_add(list, arc);
		arc.from = b;
		arc.to = a;
		arc_add(list, arc);
	}
	free(device_of);
}

static int compare_arcs(const void *left, const void *right)
{
	const struct plane_arc *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void sort_arcs(struct control_plane *plane, struct arc_list *list)
{
	plane->arc_count = (uint32_t)list->count;
	plane->arcs = arena_array(&plane->arena, list->count + 1, sizeof(*plane->arcs));
	plane->first =
		arena_array(&plane->arena, (size_t)plane->device_count + 1, sizeof(uint32_t));
	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), compare_arcs);
	for (size_t i = 0; i < list->count; i++) {
		plane->arcs[i] = list->at[i];
		plane->first[list->at[i].from + 1]++;
	}
	for (uint32_t i = 0; i < plane->device_count; i++)
		plane->first[i + 1] += plane->first[i];
	for (size_t i = 0; i < list->count; i++) {
		struct plane_arc back = {.from = plane->arcs[i].to, .to = plane->arcs[i].from};
		const struct plane_arc *found = bsearch(
			&back, plane->arcs, list->count, sizeof(*plane->arcs), compare_arcs);

		plane->arcs[i].reverse = (uint32_t)(found - plane->arcs);
	}
}

enum status plane_graph_make(struct control_plane *plane, const struct logical *logical,
	const struct machine *machine, const uint32_t *image, const struct control_options *options,
	struct text *why)
{
	struct arc_list list = {0};
	enum status status = graph_check_image(logical, machine, image, why);

	if (status != STATUS_OK)
		return status;
	make_meshes(plane, logical, image);
	graph_add_mesh_links(plane, logical, machine, options, &list);
	graph_add_exits(plane, logical, machine, options, &list);
	sort_arcs(plane, &list);
	free(list.at);
	for (uint32_t i = 0; i < plane->device_count; i++)
		if (plane->first[i + 1] - plane->first[i] > TABLES_PORTS_MAX)
			return refuse(why, STATUS_NO_SPACE,
				"mesh %u chip %u has %u links, %u allowed", plane->mesh_of[i],
				i - plane->meshes[plane->mesh_of[i]].first,
				plane->first[i + 1] - plane->first[i], TABLES_PORTS_MAX);
	return STATUS_OK;
}
