/* Routes and standing semaphores of kernels, see mesh/program.h. The memory of routes belongs to
 * the estate (struct estate of device.h), which outlives the mesh device, because packets that use
 * a route may outlive the program that sent them. */
#include "mesh/program.h"

#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "mesh/program/program.h"
#include "mesh/program/routes.h"
#include "world/bounds.h"

static enum status add_to_mesh(struct mesh_device *mesh, const struct route_config *config,
	struct text *why, uint32_t *number)
{
	const struct route_ground ground = {mesh->info, &mesh->plan.graph, mesh->plan.mesh.chips,
		mesh->devices, &mesh->estate->arena};
	struct kernel_route *route = kernel_route_find(mesh->kernel_routes, config);
	struct fabric_tree *tree;
	enum status status;
	int given;

	if (route != NULL) {
		*number = route->number;
		return STATUS_OK;
	}
	status = kernel_route_tree(&ground, config, why, &tree);
	if (status != STATUS_OK)
		return status;
	*number = 0;
	if (mesh->workers == NULL) /* a planned mesh has no devices, so it sends nothing */
		return STATUS_OK;
	given = worker_group_route(mesh->workers[2 * config->devices[0]], tree);
	if (given < 0)
		return refuse(
			why, STATUS_NO_SPACE, "more than %d routes of a device", WORKER_ROUTES_MAX);
	route = kernel_route_new(&mesh->estate->arena, config, tree, (uint32_t)given);
	route->next = mesh->kernel_routes;
	mesh->kernel_routes = route;
	*number = route->number;
	return STATUS_OK;
}

enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number)
{
	const struct program_site *site = program->site;

	ensure(config->count >= 2, "a route of %u devices", config->count);
	if (site->mesh == NULL && site->routes == NULL)
		return refuse(why, STATUS_UNSUPPORTED,
			"a route between devices that no links join (hosts: {links: N} of the "
			"platform)");
	if (config->each && config->count - 1 > BOUND_MEMBERS)
		return refuse(why, STATUS_UNSUPPORTED,
			"a route that delivers to %u devices: a multicast has at most %d members",
			config->count - 1, BOUND_MEMBERS);
	return site->mesh != NULL ? add_to_mesh(site->mesh, config, why, number)
				  : site_add_route(site->routes, config, why, number);
}

void kernel_routes_forget(struct mesh_device *mesh)
{
	for (struct kernel_route *route = mesh->kernel_routes; route != NULL; route = route->next)
		device_row->fabric_tree_forget(route->tree);
}

/* Returns the machine over which the program's routes lead, or NULL. */
static const struct cluster_info *routes_machine(const struct program *program)
{
	const struct program_site *site = program->site;

	if (site->routes != NULL)
		return site->routes->ground.info;
	return site->mesh == NULL ? NULL : site->mesh->info;
}

uint32_t program_packet_bytes(const struct program *program)
{
	const struct cluster_info *machine = routes_machine(program);

	return machine == NULL ? 0 : machine->fabric_packet_bytes;
}

uint32_t program_links(const struct program *program)
{
	const struct cluster_info *machine = routes_machine(program);
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; machine != NULL && i < machine->connection_count; i++)
		if (machine->connections[i].links < least)
			least = machine->connections[i].links;
	return least < UINT32_MAX ? least : 0;
}

uint32_t program_worker_columns(const struct program *program)
{
	return program->site->limits.worker_columns;
}

/* ---- standing semaphores ---- */

enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first)
{
	uint64_t *reserved = site_standing_semaphores(program->site);

	if (reserved == NULL)
		return refuse(why, STATUS_UNSUPPORTED, "semaphores of a program without devices");
	for (uint32_t at = 0; at + count <= STANDING_SEMAPHORES_MAX; at++) {
		uint64_t bits = ((UINT64_C(1) << count) - 1) << at;

		if (*reserved & bits)
			continue;
		*reserved |= bits;
		program->standing_semaphores |= bits;
		*first = SEMAPHORES_MAX + at;
		return STATUS_OK;
	}
	return refuse(why, STATUS_NO_SPACE, "%u standing semaphores, but a worker has %d", count,
		STANDING_SEMAPHORES_MAX);
}
