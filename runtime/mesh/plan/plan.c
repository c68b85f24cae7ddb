/* Plans a mesh device: first chips, then routes, then stages. Stages are placed in the same order
 * on every device, so stages that receive broadcasts have the same place on all devices. */
#include "mesh/plan/plan.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/tree.h"
#include "mesh/choice.h"
#include "mesh/defaults.h"

enum { WORKER_ALIGN = 64 };

/* Addresses of words on every worker. Words below these addresses are not used. */
static const struct worker_words worker_words = {
	.go = 16, .result = 32, .processors = 64, .semaphores = 512};

static const struct stage_spot spot_none = {CHIP_NONE, 0, 0};

/* The arguments that all steps of planning share. */
struct planner {
	struct plan *plan;
	struct inventory *inventory;
	const struct mesh_config *config;
	struct arena *arena;
	struct text *why;
};

/* ---- chips ---- */

/* Returns true if both geometries have the same tile numbers. One command stream can serve both
 * chips only in this case. */
static bool same_numbers(const struct chip_geometry *a, const struct chip_geometry *b)
{
	const size_t number = sizeof(uint16_t);

	return memcmp(a->worker_tiles, b->worker_tiles,
		       number * a->worker_columns * a->worker_rows) == 0 &&
	       memcmp(a->dispatch_tiles, b->dispatch_tiles, number * a->dispatch_tile_count) == 0 &&
	       memcmp(a->dram_tiles, b->dram_tiles, number * a->dram_bank_count) == 0 &&
	       memcmp(a->idle_ethernet_tiles, b->idle_ethernet_tiles,
		       number * a->idle_ethernet_count) == 0;
}

static enum status check_geometry(const struct planner *planner)
{
	const struct plan *plan = planner->plan;
	const struct chip_info *chips = plan->graph.info->chips;
	const struct chip_geometry *first = chips[plan->mesh.chips[0]].geometry;

	for (uint32_t device = 1; device < plan->devices; device++) {
		const struct chip_geometry *other = chips[plan->mesh.chips[device]].geometry;

		if (other == first)
			continue;
		if (other->worker_columns != first->worker_columns ||
			other->worker_rows != first->worker_rows ||
			other->dispatch_tile_count != first->dispatch_tile_count ||
			other->dram_bank_count != first->dram_bank_count ||
			other->tile_count != first->tile_count ||
			other->idle_ethernet_count != first->idle_ethernet_count ||
			other->l1_bytes != first->l1_bytes ||
			other->worker_l1_base != first->worker_l1_base ||
			!same_numbers(first, other))
			return refuse(planner->why, STATUS_UNSUPPORTED,
				"chips %u and %u of the mesh differ in their grids or memories",
				plan->mesh.chips[0], plan->mesh.chips[device]);
	}
	if ((uint32_t)first->worker_columns * first->worker_rows > CORES_MAX)
		return refuse(planner->why, STATUS_UNSUPPORTED, "more than %d workers on a chip",
			CORES_MAX);
	return STATUS_OK;
}

static enum status claim_chips(struct planner *planner)
{
	struct plan *plan = planner->plan;

	for (uint32_t device = 0; device < plan->devices; device++) {
		struct chip_tiles *chip = &planner->inventory->chips[plan->mesh.chips[device]];

		if (chip->owner != OWNER_NONE)
			return refuse(planner->why, STATUS_EXISTS,
				"chip %u (row %u, column %u of the mesh) belongs to another mesh "
				"device",
				plan->mesh.chips[device], device / plan->mesh.shape.columns,
				device % plan->mesh.shape.columns);
		chip->owner = planner->inventory->owner;
	}
	return check_geometry(planner);
}

/* ---- routes ---- */

static enum status plan_route(struct planner *planner, struct device_routes *route)
{
	const struct fabric_graph *graph = &planner->plan->graph;
	const struct chip_info *chip = &graph->info->chips[route->chip];
	enum status status;

	route->gateway = chip->has_pcie ? route->chip : chip->gateway;
	if (chip->has_pcie)
		return STATUS_OK;
	if (route->gateway == CHIP_NONE || !graph->info->chips[route->gateway].has_pcie)
		return refuse(planner->why, STATUS_NOT_FOUND,
			"chip %u has no PCIe and no gateway that has it", route->chip);
	status =
		fabric_unicast(graph, route->gateway, route->chip, planner->arena, &route->outward);
	if (status == STATUS_OK)
		status = fabric_unicast(
			graph, route->chip, route->gateway, planner->arena, &route->homeward);
	/* dispatch_h forwards the data from its L1, so the increment must follow the data */
	if (status == STATUS_OK)
		route->homeward->flush = true;
	if (status != STATUS_OK)
		return refuse(planner->why, status, "no links lead from chip %u to its gateway %u",
			route->chip, route->gateway);
	return STATUS_OK;
}

/* ---- stages ---- */

static struct device_plan *device_at(const struct planner *planner, uint32_t device, uint32_t queue)
{
	return &planner->plan->device[queue * planner->plan->devices + device];
}

/* Checks the place of a dispatcher. On all devices, workers send their acknowledgements to the same
 * address. So all dispatchers must have the same layout, and the dispatchers of a queue must be on
 * the same tile of every device. */
static enum status check_dispatcher(const struct planner *planner, uint32_t device, uint32_t queue,
	const struct dispatch_layout *layout, const struct stage_spot *spot,
	const struct stage_spot *of_first)
{
	const struct dispatch_layout *first = &planner->plan->device[0].dispatch_layout;

	if (layout->done_words != first->done_words || layout->event_words != first->event_words ||
		spot->tile != of_first->tile || spot->tile >= GO_TILES_MAX)
		return refuse(planner->why, STATUS_NO_SPACE,
			"chip %u has no dispatch tile left for the dispatcher of queue %u alone",
			planner->plan->routes[device].chip, queue);
	return STATUS_OK;
}

static enum status plan_place_dispatcher(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct plan *plan = planner->plan;
	struct device_plan *at = device_at(planner, device, queue);
	struct stage_need need = {.role = ROLE_DISPATCHER,
		.limits = planner->config->limits,
		.inputs =
			plan->grids > 0 && !planner->config->forward.dispatcher->dedicated ? 2 : 1,
		.dispatch = &at->dispatch_layout,
		.dispatch_s = &at->dispatch_s};
	enum status status = inventory_place(planner->inventory, plan->routes[device].chip, &need,
		planner->why, &at->dispatcher);

	at->prefetch_h = at->dispatch_h = at->depacketizer = at->prefetch_m = spot_none;
	at->dispatcher_m = at->dispatch_s_m = spot_none;
	if (status != STATUS_OK)
		return status;
	return check_dispatcher(planner, device, queue, &at->dispatch_layout, &at->dispatcher,
		&plan->device[queue * plan->devices].dispatcher);
}

/* Places the dispatcher that executes only broadcasts. */
static enum status place_dispatcher_m(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct device_plan *at = device_at(planner, device, queue);
	struct stage_need need = {.role = ROLE_DISPATCHER,
		.limits = planner->config->limits,
		.inputs = 1,
		.dispatch = &at->dispatch_m_layout,
		.dispatch_s = &at->dispatch_s_m};
	enum status status = inventory_place(planner->inventory, planner->plan->routes[device].chip,
		&need, planner->why, &at->dispatcher_m);

	if (status != STATUS_OK)
		return status;
	return check_dispatcher(planner, device, queue, &at->dispatch_m_layout, &at->dispatcher_m,
		&device_at(planner, 0, queue)->dispatcher_m);
}

/* Places the unicast prefetcher on the device. */
static enum status plan_place_prefetch(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct device_plan *at = device_at(planner, device, queue);
	const struct device_routes *route = &planner->plan->routes[device];
	struct stage_need need = {
		.role = route->outward != NULL ? ROLE_PREFETCH_D : ROLE_PREFETCH_HD,
		.limits = planner->config->limits,
		.prefetch = &at->prefetch_d_layout,
		.prefetch_ring = &at->prefetch_d_ring};

	return inventory_place(
		planner->inventory, route->chip, &need, planner->why, &at->prefetch_d);
}

static enum status place_prefetch_m(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct device_plan *at = device_at(planner, device, queue);
	struct stage_need need = {.role = ROLE_PREFETCH_M,
		.limits = planner->config->limits,
		.held = planner->config->forward.trace_hold->kind != TRACE_HOLD_NONE,
		.prefetch = &at->prefetch_m_layout,
		.prefetch_ring = &at->prefetch_m_ring};

	return inventory_place(planner->inventory, planner->plan->routes[device].chip, &need,
		planner->why, &at->prefetch_m);
}

static enum status plan_place_depacketizer(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct device_plan *at = device_at(planner, device, queue);
	const struct device_plan *first = device_at(planner, 0, queue);
	uint16_t chip = planner->plan->routes[device].chip;
	struct stage_need need = {.role = ROLE_DEPACKETIZER,
		.limits = planner->config->limits,
		.held = planner->config->forward.trace_hold->kind != TRACE_HOLD_NONE,
		.depacketizer = &at->depacketizer_layout};
	enum status status =
		inventory_place(planner->inventory, chip, &need, planner->why, &at->depacketizer);

	if (status != STATUS_OK)
		return status;
	/* packets of a multicast arrive at the same address on all chips */
	if (at->depacketizer.tile != first->depacketizer.tile ||
		at->depacketizer_layout.landing_ring != first->depacketizer_layout.landing_ring ||
		at->depacketizer_layout.arrival_words != first->depacketizer_layout.arrival_words)
		return refuse(planner->why, STATUS_NO_SPACE,
			"chip %u cannot hold the depacketizer of queue %u where the other chips do",
			chip, queue);
	return STATUS_OK;
}

/* Places the stages that a device without PCIe needs on its gateway. */
static enum status place_gateway(struct planner *planner, uint32_t device, uint32_t queue)
{
	struct device_plan *at = device_at(planner, device, queue);
	const struct device_routes *route = &planner->plan->routes[device];
	struct stage_need need = {.role = ROLE_PREFETCH_H,
		.limits = planner->config->limits,
		.prefetch = &at->prefetch_h_layout,
		.dispatch_h = &at->dispatch_h_layout};
	enum status status = STATUS_OK;

	if (route->outward == NULL)
		return STATUS_OK;
	status = inventory_place(
		planner->inventory, route->gateway, &need, planner->why, &at->prefetch_h);
	if (status != STATUS_OK)
		return status;
	need.role = ROLE_DISPATCH_H;
	return inventory_place(
		planner->inventory, route->gateway, &need, planner->why, &at->dispatch_h);
}

/* Places the packetizer of a queue, with one socket for each queue that uses it. If all queues
 * share a packetizer, places it only for queue 0. */
static enum status plan_place_packetizer(struct planner *planner, uint32_t grid, uint32_t queue)
{
	const struct packetizer_ops *packetizer = planner->config->forward.packetizer;
	struct plan *plan = planner->plan;
	struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	struct stage_need need = {
		.role = packetizer->fused ? ROLE_MCAST_PREFETCH_H : ROLE_PACKETIZER,
		.limits = planner->config->limits,
		.receivers = (uint16_t)device_range_count(plan->grid[grid].range),
		.sockets = {&at->packetizer_layout}};

	if (packetizer->shared && queue > 0) {
		at->packetizer = plan->initiator[grid].packetizer;
		return STATUS_OK;
	}
	for (uint32_t other = 1; packetizer->shared && other < plan->queues; other++)
		need.sockets[other] =
			&plan->initiator[other * plan->grids + grid].packetizer_layout;
	return inventory_place(planner->inventory, plan->grid[grid].initiator, &need, planner->why,
		&at->packetizer);
}

static enum status place_initiator(struct planner *planner, uint32_t grid, uint32_t queue)
{
	struct plan *plan = planner->plan;
	struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	struct stage_need need = {.role = ROLE_PREFETCH_H,
		.limits = planner->config->limits,
		.prefetch = &at->prefetch_h_layout};
	enum status status = STATUS_OK;

	at->prefetch_h = spot_none;
	if (!planner->config->forward.packetizer->fused)
		status = inventory_place(planner->inventory, plan->grid[grid].initiator, &need,
			planner->why, &at->prefetch_h);
	return status == STATUS_OK ? plan_place_packetizer(planner, grid, queue) : status;
}

/* Calls place() for every device (or grid) and queue. */
static enum status place_all(struct planner *planner, uint32_t count,
	enum status (*place)(struct planner *planner, uint32_t index, uint32_t queue))
{
	enum status status = STATUS_OK;

	for (uint32_t queue = 0; queue < planner->plan->queues; queue++)
		for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
			status = place(planner, i, queue);
	return status;
}

/* Places all stages except aggregators: first the stages that need a whole tile, then the stages
 * that share a tile with other stages. */
static enum status place_stages(struct planner *planner)
{
	const struct plan *plan = planner->plan;
	uint32_t receivers = plan->grids > 0 ? plan->devices : 0;
	bool dedicated = planner->config->forward.dispatcher->dedicated;
	enum status status = place_all(planner, plan->devices, plan_place_dispatcher);

	if (status == STATUS_OK && dedicated)
		status = place_all(planner, receivers, place_dispatcher_m);
	if (status == STATUS_OK)
		status = place_all(planner, plan->devices, plan_place_prefetch);
	if (status == STATUS_OK)
		status = place_all(planner, receivers, place_prefetch_m);
	if (status == STATUS_OK)
		status = place_all(planner, receivers, plan_place_depacketizer);
	if (status == STATUS_OK)
		status = place_all(planner, plan->devices, place_gateway);
	if (status == STATUS_OK)
		status = place_all(planner, plan->grids, place_initiator);
	return status;
}

/* ---- memory of devices ---- */

static uint32_t align_up(uint32_t value, uint32_t alignment)
{
	return (value + alignment - 1) / alignment * alignment;
}

static enum status plan_memory(struct planner *planner)
{
	struct plan *plan = planner->plan;
	const struct chip_info *chips = plan->graph.info->chips;
	const struct chip_geometry *geometry = chips[plan->mesh.chips[0]].geometry;
	const struct mesh_sizes *sizes = &planner->config->sizes;
	uint64_t region = sizes->trace_region_bytes + sizes->binary_region_bytes;
	uint64_t bank = geometry->dram_bank_bytes, reach = dram_bank_reach(geometry);
	uint32_t ring_bytes = sizes->config_ring_bytes, small_bytes = sizes->l1_small_bytes;

	plan->words = worker_words;
	plan->launch_ring = align_up(geometry->worker_l1_base, WORKER_ALIGN);
	plan->config_ring = plan->launch_ring + LAUNCH_SLOTS * LAUNCH_BYTES;
	plan->config_ring_bytes =
		align_up(ring_bytes ? ring_bytes : MESH_DEFAULT_CONFIG_RING_BYTES, WORKER_ALIGN);
	plan->worker_free = plan->config_ring + plan->config_ring_bytes;
	if (plan->worker_free < geometry->l1_bytes &&
		plan->worker_free + (uint64_t)small_bytes >= geometry->l1_bytes)
		return refuse(planner->why, STATUS_NO_SPACE,
			"a small L1 region of %u B does not fit into the %u B of worker L1 that "
			"begin at %u",
			small_bytes, geometry->l1_bytes - plan->worker_free, plan->worker_free);
	if (plan->worker_free >= geometry->l1_bytes)
		return refuse(planner->why, STATUS_NO_SPACE,
			"a config ring of %u B at %u does not fit into %u B of worker L1",
			plan->config_ring_bytes, plan->config_ring, geometry->l1_bytes);
	/* if there are enough banks, each queue has a separate bank for its spill buffer */
	if (plan->grids > 0)
		plan->spill_bytes = planner->config->limits->spill_bytes *
				    (plan->queues > geometry->dram_bank_count ? plan->queues : 1);
	if (region > 0 && region + plan->spill_bytes >= reach)
		return refuse(planner->why, STATUS_NO_SPACE,
			"%llu B for traces and binaries leave nothing of a bank of %llu B%s",
			(unsigned long long)region, (unsigned long long)bank,
			reach < bank ? ", whose addresses have 32 bits" : "");
	if (plan->spill_bytes >= reach)
		return refuse(planner->why, STATUS_NO_SPACE,
			"spill buffers of %u B do not fit into a DRAM bank", plan->spill_bytes);
	return STATUS_OK;
}

static bool plan_is_free(struct planner *planner, uint16_t tile)
{
	bool is_free = true;

	for (uint32_t device = 0; device < planner->plan->devices; device++)
		is_free &= inventory_claim(
			planner->inventory, planner->plan->routes[device].chip, tile);
	return is_free;
}

/* Finds the Ethernet tiles on which programs can run: tiles without links that dispatch does not
 * use on any device. Finds none if the configuration does not allow such programs. The L1 of these
 * tiles has the same layout as the L1 of Tensix tiles; if it is too small for this layout, also
 * finds none. Each Ethernet tile has a launch ring and a config ring, which advance together with
 * the rings of the Tensix tiles. */
static void plan_ethernet(struct planner *planner)
{
	struct plan *plan = planner->plan;
	const struct chip_geometry *geometry =
		plan->graph.info->chips[plan->mesh.chips[0]].geometry;
	uint32_t most = CORES_MAX - (uint32_t)geometry->worker_columns * geometry->worker_rows;

	if (!planner->config->ethernet_programs || plan->worker_free > geometry->ethernet_l1_bytes)
		return;
	plan->ethernet_tiles = arena_array(
		planner->arena, geometry->idle_ethernet_count + 1u, sizeof(*plan->ethernet_tiles));
	for (uint32_t i = 0; i < geometry->idle_ethernet_count; i++)
		if (plan->ethernet_count < most &&
			plan_is_free(planner, geometry->idle_ethernet_tiles[i]))
			plan->ethernet_tiles[plan->ethernet_count++] =
				geometry->idle_ethernet_tiles[i];
}

/* Checks that a pool exists if readers hand records to a pool. */
static enum status check_readers(const struct mesh_config *config, struct text *why)
{
	const struct host_config *host = &config->host;

	if (!registry_entry_has_key(&config->completion->entry, "runtime.host.readers") ||
		!host->readers->offloads || host->threads->pool != NULL)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"readers '%s' hand what they read to a pool, and host threads '%s' have none",
		host->readers->entry.name, host->threads->entry.name);
}

/* Checks that posted tasks of a device stay in order, even if several threads execute tasks. */
static enum status check_tasks(const struct mesh_config *config, struct text *why)
{
	const struct host_config *host = &config->host;

	if (host->threads->pool == NULL || !host->pool_tasks->asynchronous ||
		host->queues->kind == POOL_OWN || sizes_pool_threads(config) == 1)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"tasks '%s' of a device stay in order only in the queues 'own' of a pool, not in "
		"'%s'",
		host->pool_tasks->entry.name, host->queues->entry.name);
}

enum status plan_make(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why)
{
	struct planner planner = {plan, inventory, config, arena, why};
	const char *which = NULL;
	enum status status;

	*plan = (struct plan){.queues = config->command_queues};
	if (config->command_queues < 1 || config->command_queues > MESH_COMMAND_QUEUES_MAX)
		return refuse(why, STATUS_INVALID, "%u command queues, 1 to %d are supported",
			config->command_queues, MESH_COMMAND_QUEUES_MAX);
	if (firmware_limits_check(config->limits, &which, NULL) != STATUS_OK)
		return refuse(why, STATUS_INVALID, "the limit %s does not fit the others", which);
	status = check_readers(config, why);
	if (status == STATUS_OK)
		status = check_tasks(config, why);
	if (status == STATUS_OK)
		status = fabric_topology_fits(config->topology, inventory->info, why);
	if (status != STATUS_OK)
		return status;
	status = virtual_mesh_init(
		&plan->mesh, inventory->info, config->shape, config->offset, arena, why);
	if (status != STATUS_OK)
		return status;
	plan->devices = mesh_shape_count(plan->mesh.shape);
	plan->routes = arena_array(arena, plan->devices, sizeof(*plan->routes));
	plan->device =
		arena_array(arena, (size_t)plan->devices * plan->queues, sizeof(*plan->device));
	fabric_graph_init_topology(&plan->graph, inventory->info, config->topology, arena);
	status = claim_chips(&planner);
	for (uint32_t i = 0; i < plan->devices && status == STATUS_OK; i++) {
		plan->routes[i].chip = plan->mesh.chips[i];
		status = plan_route(&planner, &plan->routes[i]);
	}
	if (status == STATUS_OK)
		status = grids_plan(plan, inventory, config, arena, why);
	if (status == STATUS_OK)
		status = feeds_plan(plan, config, arena, why);
	if (status == STATUS_OK)
		status = span_plan(plan, config, why);
	if (status != STATUS_OK)
		return status;
	plan->initiator = arena_array(
		arena, (size_t)plan->grids * plan->queues + 1, sizeof(*plan->initiator));
	status = trees_plan(plan, config, arena, why);
	if (status == STATUS_OK)
		status = place_stages(&planner);
	if (status == STATUS_OK)
		status = aggregators_plan(plan, inventory, config, arena, why);
	if (status == STATUS_OK)
		status = plan_check_circles(plan, arena, why);
	if (status == STATUS_OK)
		status = plan_memory(&planner);
	if (status == STATUS_OK)
		plan_ethernet(&planner);
	return status;
}
