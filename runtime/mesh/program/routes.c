/* Routes and standing semaphores of kernels, see mesh/program.h. The routes belong to the estate
 * (struct estate of device.h), which outlives the mesh device, because packets may outlive the
 * program that sent them. */
#include "mesh/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/pattern.h"
#include "fabric/tree.h"
#include "mesh/device/device.h"
#include "mesh/program/program.h"
#include "world/machine_bounds.h"

struct kernel_route {
	struct kernel_route *next;
	struct route_config config;
	struct fabric_tree *tree;
	uint32_t number;
};

static bool routes_same(const struct route_config *a, const struct route_config *b)
{
	return a->count == b->count && a->each == b->each && a->round == b->round &&
	       a->link == b->link &&
	       memcmp(a->devices, b->devices, a->count * sizeof(*a->devices)) == 0;
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

static enum status find_chips(const struct mesh_device *mesh, const struct route_config *config,
	uint16_t *chips, struct text *why)
{
	for (uint32_t i = 0; i < config->count; i++) {
		if (config->devices[i] >= mesh->devices)
			return refuse(why, STATUS_OUT_OF_RANGE, "device %u of a mesh of %u",
				config->devices[i], mesh->devices);
		chips[i] = mesh->plan.mesh.chips[config->devices[i]];
	}
	for (uint32_t i = 1; i < config->count; i++) {
		uint32_t links = links_between(mesh->info, chips[i - 1], chips[i]);

		if (links > 0 && config->link >= links)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"link %u of a route, but %u join devices %u and %u", config->link,
				links, config->devices[i - 1], config->devices[i]);
	}
	return STATUS_OK;
}

static enum status routes_make_tree(struct mesh_device *mesh, const struct route_config *config,
	struct text *why, struct fabric_tree **tree)
{
	uint16_t *chips = allocate(config->count, sizeof *chips);
	struct fabric_tree *path;
	enum status status = find_chips(mesh, config, chips, why);

	if (status == STATUS_OK && fabric_path(&mesh->plan.graph, chips, config->count,
					   config->each, &mesh->estate->arena, &path) != STATUS_OK)
		status = refuse(why, STATUS_UNSUPPORTED,
			"a route from device %u to device %u leads over links that are not there",
			config->devices[0], config->devices[config->count - 1]);
	if (status == STATUS_OK && !config->round)
		status = fabric_topology_routes(&mesh->plan.graph, path, why);
	if (status == STATUS_OK) {
		path->lane = (uint8_t)(config->link + 1);
		path->cycle = config->round ? FABRIC_CYCLE_WAY : FABRIC_CYCLE_NONE;
		path->flush = true; /* when an increment arrives, everything sent before it has
				     * arrived */
		*tree = path;
	}
	free(chips);
	return status;
}

enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number)
{
	struct mesh_device *mesh = program->site->mesh;
	struct kernel_route *route;
	struct fabric_tree *tree;
	uint32_t *devices;
	enum status status;
	int given;

	ensure(config->count >= 2, "a route of %u devices", config->count);
	if (mesh == NULL)
		return refuse(why, STATUS_UNSUPPORTED, "a route of a program without devices");
	if (config->each && config->count - 1 > BOUND_MEMBERS)
		return refuse(why, STATUS_UNSUPPORTED,
			"a route that delivers to %u devices: a multicast has at most %d members",
			config->count - 1, BOUND_MEMBERS);
	for (route = mesh->kernel_routes; route != NULL; route = route->next)
		if (routes_same(&route->config, config)) {
			*number = route->number;
			return STATUS_OK;
		}
	status = routes_make_tree(mesh, config, why, &tree);
	if (status != STATUS_OK)
		return status;
	*number = 0;
	if (mesh->workers == NULL) /* a planned mesh has no devices, so it sends nothing */
		return STATUS_OK;
	given = worker_group_route(mesh->workers[2 * config->devices[0]], tree);
	if (given < 0)
		return refuse(
			why, STATUS_NO_SPACE, "more than %d routes of a device", WORKER_ROUTES_MAX);
	devices = arena_array(&mesh->estate->arena, config->count, sizeof *devices);
	memcpy(devices, config->devices, config->count * sizeof *devices);
	route = arena_alloc(&mesh->estate->arena, sizeof *route);
	*route = (struct kernel_route){mesh->kernel_routes, *config, tree, (uint32_t)given};
	route->config.devices = devices;
	mesh->kernel_routes = route;
	*number = route->number;
	return STATUS_OK;
}

void kernel_routes_forget(struct mesh_device *mesh)
{
	for (struct kernel_route *route = mesh->kernel_routes; route != NULL; route = route->next)
		device_row->fabric_tree_forget(route->tree);
}

uint32_t program_packet_bytes(const struct program *program)
{
	const struct mesh_device *mesh = program->site->mesh;

	return mesh == NULL ? 0 : mesh->info->fabric_packet_bytes;
}

uint32_t program_worker_columns(const struct program *program)
{
	return program->site->limits.worker_columns;
}

/* ---- standing semaphores ---- */

enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first)
{
	struct mesh_device *mesh = program->site->mesh;

	if (mesh == NULL)
		return refuse(why, STATUS_UNSUPPORTED, "semaphores of a program without devices");
	for (uint32_t at = 0; at + count <= STANDING_SEMAPHORES_MAX; at++) {
		uint64_t bits = ((UINT64_C(1) << count) - 1) << at;

		if (mesh->standing_semaphores & bits)
			continue;
		mesh->standing_semaphores |= bits;
		program->standing_semaphores |= bits;
		*first = SEMAPHORES_MAX + at;
		return STATUS_OK;
	}
	return refuse(why, STATUS_NO_SPACE, "%u standing semaphores, but a worker has %d", count,
		STANDING_SEMAPHORES_MAX);
}
