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

/* Reserves `count` consecutive semaphores. Returns their bits, or 0 with a reason in `why`. */
static uint64_t reserve(
	struct standing_semaphores *standing, uint32_t count, struct text *why, uint32_t *first)
{
	for (uint32_t at = 0; at + count <= STANDING_SEMAPHORES_MAX; at++) {
		uint64_t bits = ((UINT64_C(1) << count) - 1) << at;

		if (standing->reserved & bits)
			continue;
		standing->reserved |= bits;
		*first = SEMAPHORES_MAX + at;
		return bits;
	}
	(void)refuse(why, STATUS_NO_SPACE, "%u standing semaphores, but a worker has %d", count,
		STANDING_SEMAPHORES_MAX);
	return 0;
}

static enum status standing_of(
	const struct program *program, struct text *why, struct standing_semaphores **standing)
{
	*standing = site_standing_semaphores(program->site);
	return *standing
		       ? STATUS_OK
		       : refuse(why, STATUS_UNSUPPORTED, "semaphores of a program without devices");
}

enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first)
{
	struct standing_semaphores *standing;
	enum status status = standing_of(program, why, &standing);
	uint64_t bits;

	if (status != STATUS_OK)
		return status;
	bits = reserve(standing, count, why, first);
	program->standing_semaphores |= bits;
	return bits != 0 ? STATUS_OK : STATUS_NO_SPACE;
}

/* Returns the entry with this key. If there is none, returns an entry that is free. One always is,
 * because each entry in use has a semaphore. */
static struct standing_shared *shared_of(struct standing_semaphores *standing, uint64_t key)
{
	struct standing_shared *unused = NULL;

	for (uint32_t i = 0; i < STANDING_SEMAPHORES_MAX; i++) {
		struct standing_shared *shared = &standing->shared[i];

		if (shared->users > 0 && shared->key == key)
			return shared;
		if (shared->users == 0 && !unused)
			unused = shared;
	}
	return unused;
}

enum status program_share_standing_semaphores(
	struct program *program, uint32_t count, uint64_t key, struct text *why, uint32_t *first)
{
	struct standing_semaphores *standing;
	struct standing_shared *shared;
	enum status status = standing_of(program, why, &standing);
	uint64_t bit;

	if (status != STATUS_OK)
		return status;
	shared = shared_of(standing, key);
	if (!shared || shared->users == 0) {
		uint64_t bits = reserve(standing, count, why, first);

		if (bits == 0)
			return STATUS_NO_SPACE;
		*shared = (struct standing_shared){.key = key, .bits = bits, .first = *first};
	}
	bit = UINT64_C(1) << (shared - standing->shared);
	shared->users += (program->shared_semaphores & bit) == 0;
	program->shared_semaphores |= bit;
	*first = shared->first;
	return STATUS_OK;
}

void program_drop_standing_semaphores(struct program *program)
{
	struct standing_semaphores *standing = site_standing_semaphores(program->site);

	if (standing == NULL)
		return;
	standing->reserved &= ~program->standing_semaphores;
	for (uint32_t i = 0; i < STANDING_SEMAPHORES_MAX; i++)
		if (program->shared_semaphores >> i & 1 && --standing->shared[i].users == 0)
			standing->reserved &= ~standing->shared[i].bits;
}
