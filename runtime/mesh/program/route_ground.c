/* Makes routes of kernels and their trees (mesh/program.h). Also keeps routes over the devices of
 * several hosts (mesh/assembled.h). */
#include "mesh/program/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/pattern.h"
#include "mesh/device/device.h"

static bool routes_same(const struct route_config *a, const struct route_config *b)
{
	return a->count == b->count && a->each == b->each && a->round == b->round &&
	       a->link == b->link &&
	       memcmp(a->devices, b->devices, a->count * sizeof(*a->devices)) == 0;
}

struct kernel_route *kernel_route_find(struct kernel_route *list, const struct route_config *config)
{
	while (list != NULL && !routes_same(&list->config, config))
		list = list->next;
	return list;
}

struct kernel_route *kernel_route_new(struct arena *arena, const struct route_config *config,
	struct fabric_tree *tree, uint32_t number)
{
	struct kernel_route *route = arena_alloc(arena, sizeof *route);
	uint32_t *devices = arena_array(arena, config->count, sizeof *devices);

	memcpy(devices, config->devices, config->count * sizeof *devices);
	*route = (struct kernel_route){.config = *config, .tree = tree, .number = number};
	route->config.devices = devices;
	return route;
}

/* Returns the number of parallel links between two neighbours. */
static uint32_t links_between(const struct cluster_info *info, uint16_t a, uint16_t b)
{
	uint32_t links = 0;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const struct fabric_connection *one = &info->connections[i];

		if ((one->chip[0] == a && one->chip[1] == b) ||
			(one->chip[0] == b && one->chip[1] == a))
			links += one->links;
	}
	return links;
}

static enum status find_chips(const struct route_ground *ground, const struct route_config *config,
	uint16_t *chips, struct text *why)
{
	for (uint32_t i = 0; i < config->count; i++) {
		if (config->devices[i] >= ground->devices)
			return refuse(why, STATUS_OUT_OF_RANGE, "device %u of a mesh of %u",
				config->devices[i], ground->devices);
		chips[i] = ground->chips[config->devices[i]];
	}
	for (uint32_t i = 1; i < config->count; i++) {
		uint32_t links = links_between(ground->info, chips[i - 1], chips[i]);

		if (links > 0 && config->link >= links)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"link %u of a route, but %u join devices %u and %u", config->link,
				links, config->devices[i - 1], config->devices[i]);
	}
	return STATUS_OK;
}

enum status kernel_route_tree(const struct route_ground *ground, const struct route_config *config,
	struct text *why, struct fabric_tree **tree)
{
	uint16_t *chips = allocate(config->count, sizeof *chips);
	struct fabric_tree *path;
	enum status status = find_chips(ground, config, chips, why);

	if (status == STATUS_OK && fabric_path(ground->graph, chips, config->count, config->each,
					   ground->arena, &path) != STATUS_OK)
		status = refuse(why, STATUS_UNSUPPORTED,
			"a route from device %u to device %u leads over links that are not there",
			config->devices[0], config->devices[config->count - 1]);
	if (status == STATUS_OK && !config->round)
		status = fabric_topology_routes(ground->graph, path, why);
	if (status == STATUS_OK) {
		path->lane = (uint8_t)(config->link + 1);
		path->cycle = config->round ? FABRIC_CYCLE_WAY : FABRIC_CYCLE_NONE;
		/* an increment arrives only after everything that was sent before the increment */
		path->flush = true;
		*tree = path;
	}
	free(chips);
	return status;
}

/* ---- chips ---- */

/* Returns the chip at a position of the machine, or CHIP_NONE. */
static uint16_t find_chip(const struct cluster_info *machine, uint32_t row, uint32_t column)
{
	for (uint16_t i = 0; i < machine->chip_count; i++)
		if (machine->chips[i].mesh_row == (int32_t)row &&
			machine->chips[i].mesh_column == (int32_t)column)
			return i;
	return CHIP_NONE;
}

void route_ground_init(struct route_ground *ground, const struct cluster_info *machine,
	struct mesh_shape shape, struct mesh_offset offset, enum fabric_topology topology,
	struct arena *arena)
{
	uint32_t devices = mesh_shape_count(shape);
	uint16_t *chips = arena_array(arena, devices, sizeof *chips);
	struct fabric_graph *graph = arena_alloc(arena, sizeof *graph);

	for (uint32_t i = 0; i < devices; i++) {
		chips[i] = find_chip(
			machine, offset.row + i / shape.columns, offset.column + i % shape.columns);
		ensure(chips[i] != CHIP_NONE, "device %u lies beside the machine", i);
	}
	fabric_graph_init_topology(graph, machine, topology, arena);
	*ground = (struct route_ground){machine, graph, chips, devices, arena};
}

/* ---- the site ---- */

void program_site_join(struct program_site *site, const struct cluster_info *machine,
	struct mesh_offset offset, enum fabric_topology topology)
{
	struct site_routes *routes = allocate(1, sizeof *routes);

	ensure(site->mesh == NULL && site->routes == NULL && site->programs == 0,
		"a site with a mesh or with programs is joined");
	arena_init(&routes->arena);
	route_ground_init(&routes->ground, machine, site->shape, offset, topology, &routes->arena);
	routes->given = arena_array(&routes->arena, routes->ground.devices, sizeof *routes->given);
	routes->end = &routes->first;
	site->routes = routes;
}

void site_routes_free(struct site_routes *routes)
{
	if (routes == NULL)
		return;
	arena_fini(&routes->arena);
	free(routes);
}

enum status site_add_route(struct site_routes *routes, const struct route_config *config,
	struct text *why, uint32_t *number)
{
	struct kernel_route *route = kernel_route_find(routes->first, config);
	struct fabric_tree *tree;
	enum status status;

	if (route != NULL) {
		*number = route->number;
		return STATUS_OK;
	}
	status = kernel_route_tree(&routes->ground, config, why, &tree);
	if (status != STATUS_OK)
		return status;
	if (routes->given[config->devices[0]] == WORKER_ROUTES_MAX)
		return refuse(
			why, STATUS_NO_SPACE, "more than %d routes of a device", WORKER_ROUTES_MAX);
	*number = routes->given[config->devices[0]]++;
	route = kernel_route_new(&routes->arena, config, tree, *number);
	*routes->end = route;
	routes->end = &route->next;
	return STATUS_OK;
}

const struct route_config *program_site_route(
	const struct program_site *site, uint32_t index, uint32_t *number)
{
	const struct kernel_route *route = site->routes != NULL ? site->routes->first : NULL;

	for (; route != NULL && index > 0; index--)
		route = route->next;
	if (route == NULL)
		return NULL;
	*number = route->number;
	return &route->config;
}

struct standing_semaphores *site_standing_semaphores(struct program_site *site)
{
	if (site->routes != NULL)
		return &site->routes->standing;
	return site->mesh != NULL ? &site->mesh->standing : NULL;
}

/* ---- the mesh of a host ---- */

/* Makes the ground of this mesh, unless it exists: the chips and links that its routes may use. The
 * ground is the larger mesh, which has the devices of all hosts. Its position in the machine
 * follows from the first device of this mesh, which is at whole->at in the larger mesh. */
static enum status open_ground(struct mesh_device *mesh, struct text *why)
{
	const struct whole_config *whole = &mesh->config.whole;
	const struct cluster_info *machine = whole->spans ? mesh->info : mesh->info->machine;
	uint32_t first = whole->spans ? 0 : mesh->info->machine_first;
	const struct chip_info *own;

	if (mesh->ground != NULL)
		return STATUS_OK;
	if (machine == NULL || whole->shape.rows == 0)
		return refuse(why, STATUS_UNSUPPORTED, "no links join this host to others");
	own = &machine->chips[first + mesh->plan.mesh.chips[0]];
	mesh->ground = arena_alloc(&mesh->estate->arena, sizeof *mesh->ground);
	route_ground_init(mesh->ground, machine, whole->shape,
		(struct mesh_offset){(uint16_t)(own->mesh_row - whole->at.row),
			(uint16_t)(own->mesh_column - whole->at.column)},
		mesh->config.topology, &mesh->estate->arena);
	return STATUS_OK;
}

/* Converts the index of a device in the mesh of all hosts to its index in this mesh. Returns
 * UINT32_MAX if the device belongs to another host. */
static uint32_t own_device(const struct mesh_device *mesh, uint32_t device)
{
	const struct whole_config *whole = &mesh->config.whole;
	struct mesh_shape shape = mesh->config.shape;
	uint32_t row = device / whole->shape.columns - whole->at.row;
	uint32_t column = device % whole->shape.columns - whole->at.column;

	return row < shape.rows && column < shape.columns ? row * shape.columns + column
							  : UINT32_MAX;
}

enum status mesh_add_route(struct mesh_device *mesh, const struct route_config *config,
	uint32_t number, struct text *why)
{
	struct kernel_route *route;
	struct fabric_tree *tree;
	uint32_t device;
	enum status status = open_ground(mesh, why);

	if (status != STATUS_OK)
		return status;
	if (config->count < 2 || number >= WORKER_ROUTES_MAX)
		return refuse(
			why, STATUS_OUT_OF_RANGE, "route %u of %u devices", number, config->count);
	device = own_device(mesh, config->devices[0]);
	if (device == UINT32_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "a route that begins at device %u",
			config->devices[0]);
	status = kernel_route_tree(mesh->ground, config, why, &tree);
	if (status != STATUS_OK)
		return status;
	tree->of_machine = true;
	if (!worker_group_route_as(mesh->workers[2 * device], tree, number))
		return refuse(why, STATUS_EXISTS, "a second route %u of device %u", number,
			config->devices[0]);
	route = kernel_route_new(&mesh->estate->arena, config, tree, number);
	route->next = mesh->kernel_routes;
	mesh->kernel_routes = route;
	return STATUS_OK;
}
