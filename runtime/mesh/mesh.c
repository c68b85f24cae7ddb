/* Opens and closes mesh devices. Combines the functions of all folders of the mesh. */
#include "mesh/mesh.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/compile/compile.h"
#include "mesh/device/bringup.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"
#include "mesh/program/sub_devices.h"
#include "mesh/queue/job.h"

/* ---- planning ---- */

static void check_config(const struct mesh_config *config)
{
	ensure(config->forward.path != NULL && config->completion != NULL &&
			config->host.threads != NULL && config->host.queues != NULL &&
			config->host.pin != NULL && config->host.create != NULL &&
			config->host.pool_tasks != NULL && config->host.compile != NULL &&
			config->host.readers != NULL,
		"a mesh configuration without its rows");
	ensure(config->costs != NULL && config->limits != NULL,
		"a mesh configuration without costs and limits");
}

enum status mesh_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct mesh_resources *resources, struct text *why)
{
	struct arena arena = {0};
	struct plan plan;
	struct inventory inventory;
	enum status status;

	check_config(config);
	inventory_init(&inventory, info);
	inventory.owner = OWNER_NONE + 1;
	status = plan_make(&plan, &inventory, config, &arena, why);
	if (status == STATUS_OK && resources != NULL)
		plan_resources(&plan, &inventory, config, resources);
	inventory_fini(&inventory);
	arena_fini(&arena);
	return status;
}

/* Returns the broadcast grids of a configuration, allocated in the arena. Returns NULL if the
 * configuration cannot be planned. */
static const struct broadcast_grid *grids_of(const struct cluster_info *info,
	const struct mesh_config *config, struct arena *arena, uint32_t *count)
{
	struct inventory inventory;
	struct plan plan;
	enum status status;

	check_config(config);
	inventory_init(&inventory, info);
	inventory.owner = OWNER_NONE + 1;
	status = plan_make(&plan, &inventory, config, arena, NULL);
	inventory_fini(&inventory);
	*count = plan.grids;
	return status == STATUS_OK ? plan.grid : NULL;
}

bool mesh_same_initiators(const struct cluster_info *info, const struct mesh_config *config,
	const struct mesh_config *other)
{
	struct arena arena = {0};
	uint32_t count, other_count;
	const struct broadcast_grid *grids = grids_of(info, config, &arena, &count);
	const struct broadcast_grid *others = grids_of(info, other, &arena, &other_count);
	bool same = grids != NULL && others != NULL && count == other_count;

	for (uint32_t g = 0; same && g < count; g++)
		same = grids[g].initiator == others[g].initiator &&
		       device_range_covers(grids[g].range, others[g].range) &&
		       device_range_covers(others[g].range, grids[g].range);
	arena_fini(&arena);
	return same;
}

uint32_t mesh_largest_grid(const struct cluster_info *info, const struct mesh_config *config)
{
	struct arena arena = {0};
	uint32_t count, most = 0;
	const struct broadcast_grid *grids = grids_of(info, config, &arena, &count);

	for (uint32_t g = 0; grids != NULL && g < count; g++)
		if (device_range_count(grids[g].range) > most)
			most = device_range_count(grids[g].range);
	arena_fini(&arena);
	return most;
}

uint32_t mesh_initiator_hosts(const struct cluster_info *info, const struct mesh_config *config)
{
	struct arena arena = {0};
	uint32_t count, hosts = 0;
	const struct broadcast_grid *grids = grids_of(info, config, &arena, &count);

	for (uint32_t g = 0; grids != NULL && g < count; g++)
		hosts |= 1u << info->chips[grids[g].initiator].host % 32;
	arena_fini(&arena);
	return hosts;
}

enum status program_limits_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct program_limits *limits, struct text *why)
{
	struct arena arena = {0};
	struct plan plan;
	struct inventory inventory;
	enum status status;

	check_config(config);
	inventory_init(&inventory, info);
	inventory.owner = OWNER_NONE + 1;
	status = plan_make(&plan, &inventory, config, &arena, why);
	if (status == STATUS_OK)
		*limits = plan_limits(&plan, info, config);
	inventory_fini(&inventory);
	arena_fini(&arena);
	return status;
}

/* ---- opening ---- */

/* Checks page sizes. Commands count the bytes of pages in units of COMMAND_ALIGN, so pages must be
 * aligned to this unit. A page of binaries must also not exceed the largest page of a prefetch
 * command. */
static void check_pages(const struct mesh_config *config)
{
	for (int type = 0; type < BUFFER_TYPE_COUNT; type++) {
		uint32_t alignment = sizes_page_alignment(config, (enum buffer_type)type);

		ensure(alignment % COMMAND_ALIGN == 0 && (alignment & (alignment - 1)) == 0,
			"pages aligned to %u B", alignment);
	}
	ensure(sizes_binary_page(config) <= PREFETCH_PAGE_MAX, "pages of binaries of %u B",
		sizes_binary_page(config));
}

static void init_memory(struct mesh_device *mesh)
{
	const struct chip_geometry *geometry = mesh->geometry;
	const struct mesh_config *config = &mesh->config;
	uint64_t small = geometry->l1_bytes - config->sizes.l1_small_bytes;
	uint64_t bank = dram_bank_reach(geometry), region = config->sizes.trace_region_bytes;
	uint64_t binaries = config->sizes.binary_region_bytes;

	mesh->memory[BUFFER_DRAM] = allocator_new("DRAM bank", mesh->plan.spill_bytes,
		bank - region - binaries - mesh->plan.spill_bytes,
		sizes_page_alignment(config, BUFFER_DRAM));
	mesh->memory[BUFFER_TRACE] = allocator_new("trace region of a DRAM bank", bank - region,
		region, sizes_page_alignment(config, BUFFER_TRACE));
	if (binaries > 0)
		mesh->binary_region =
			allocator_new("binary region of a DRAM bank", bank - region - binaries,
				binaries, sizes_page_alignment(config, BUFFER_DRAM));
	mesh->memory[BUFFER_SYSTEM] = allocator_new("system memory", 0,
		config->sizes.system_memory_bytes, sizes_page_alignment(config, BUFFER_SYSTEM));
	mesh->memory[BUFFER_L1] = allocator_new("worker L1", mesh->plan.worker_free,
		small - mesh->plan.worker_free, sizes_page_alignment(config, BUFFER_L1));
	mesh->memory[BUFFER_L1_SMALL] = allocator_new("small L1 region", small,
		geometry->l1_bytes - small, sizes_page_alignment(config, BUFFER_L1_SMALL));
	sub_devices_init(mesh);
}

static void mesh_free(struct mesh_device *mesh)
{
	for (int type = 0; type < BUFFER_TYPE_COUNT; type++)
		allocator_free(mesh->memory[type]);
	allocator_free(mesh->binary_region);
	sub_devices_fini(mesh);
	site_forget_divisions(&mesh->site);
	mesh_compile_fini(mesh);
	free(mesh->workers);
	free(mesh->packetizers);
	free(mesh->depacketizers);
	world->monitor_free(mesh->completed);
	free(mesh);
}

static struct mesh_device *mesh_new(struct mesh_system *system, const struct mesh_config *config)
{
	struct mesh_device *mesh = allocate(1, sizeof(*mesh));

	mesh->system = system;
	mesh->config = *config;
	mesh->cluster = system->cluster;
	mesh->completed = world->monitor_new("completion of an operation");
	return mesh;
}

static void call(void (*operation)(struct mesh_device *mesh), struct mesh_device *mesh)
{
	if (operation != NULL)
		operation(mesh);
}

static void start_choices(struct mesh_device *mesh)
{
	const struct completion_ops *completion = mesh->config.completion;

	call(mesh->config.host.threads->start, mesh);
	call(completion->start, mesh);
	call(completion->reads->start, mesh);
}

static void stop_choices(struct mesh_device *mesh)
{
	const struct completion_ops *completion = mesh->config.completion;

	call(completion->reads->stop, mesh);
	call(completion->stop, mesh);
	call(mesh->config.host.threads->stop, mesh);
}

/* Returns true if different devices need different commands. This is so if commands contain
 * physical coordinates, and chips have the same tile at different places. */
static bool needs_own_streams(const struct mesh_device *mesh)
{
	bool streams_differ = false;

	for (uint32_t device = 0; device < mesh->devices; device++)
		streams_differ |=
			mesh->info->chips[mesh->plan.mesh.chips[device]].geometry != mesh->geometry;
	return streams_differ && mesh->config.coordinates == COORDINATES_PHYSICAL;
}

static bool creates_per_device(const struct mesh_config *config)
{
	enum create_scope scope = config->host.create->scope;

	return scope == CREATE_AS_THREADS ? config->host.threads->own_streams
					  : scope == CREATE_PER_DEVICE;
}

static uint32_t owner_of(const struct mesh_device *mesh)
{
	return OWNER_NONE + 1 + mesh->number;
}

/* Chooses the chips to which the chip numbers of the plan refer: the chips of all hosts if the
 * mesh device spans several hosts, otherwise the chips of the cluster. If the inventory of the
 * system describes other chips, replaces the inventory. This is impossible while another mesh
 * device of the system is open. */
static enum status number_chips(struct mesh_device *mesh, struct text *why)
{
	struct mesh_system *system = mesh->system;
	const struct cluster_info *own = system->info, *info = own;

	if (mesh->config.whole.spans)
		info = own->machine;
	if (info == NULL)
		return refuse(why, STATUS_UNSUPPORTED, "no links join this host to others");
	mesh->info = info;
	mesh->first_chip = info == own ? 0 : own->machine_first;
	mesh->own_chips = own->chip_count;
	if (system->inventory.info == info)
		return STATUS_OK;
	for (uint16_t i = 0; i < system->inventory.info->chip_count; i++)
		if (system->inventory.chips[i].owner != OWNER_NONE)
			return refuse(why, STATUS_EXISTS,
				"a mesh that spans several hosts beside another one");
	inventory_fini(&system->inventory);
	inventory_init(&system->inventory, info);
	return STATUS_OK;
}

/* Claims the parts of the cluster (mesh/plan/inventory.h) that the mesh device needs. On an error,
 * no parts stay claimed. The caller must hold the system's monitor (a lock). */
static enum status claim(struct mesh_device *mesh, struct text *why)
{
	struct mesh_system *system = mesh->system;
	struct inventory *inventory = &system->inventory;
	struct arena *arena;
	enum status status = number_chips(mesh, why);

	if (status != STATUS_OK)
		return status;
	mesh->number = system->opened;
	mesh->estate = system_estate(system);
	arena = &mesh->estate->arena;
	inventory->owner = owner_of(mesh);
	status = plan_make(&mesh->plan, inventory, &mesh->config, arena, why);
	if (status == STATUS_OK) {
		mesh->devices = mesh->plan.devices;
		plan_resources(&mesh->plan, inventory, &mesh->config, &mesh->resources);
	}
	if (status == STATUS_OK && mesh->cluster != NULL) {
		mesh->queue_count = mesh->plan.queues;
		mesh->parts =
			inventory_parts(inventory, inventory->owner, arena, &mesh->part_count);
		status = bringup_queues(mesh, why);
	}
	if (status == STATUS_OK) {
		system->opened++;
		return STATUS_OK;
	}
	bringup_queues_fini(mesh);
	inventory_release(inventory, owner_of(mesh));
	return status;
}

static enum status enter_and_claim(struct mesh_device *mesh, struct text *why)
{
	enum status status;

	world->monitor_enter(mesh->system->entry);
	status = claim(mesh, why);
	world->monitor_exit(mesh->system->entry);
	return status;
}

/* Starts the firmware and the host threads. */
static void bring_up(struct mesh_device *mesh)
{
	bringup_start(mesh);
	start_choices(mesh);
}

static void bring_down(struct mesh_device *mesh)
{
	bringup_end(mesh);
	stop_choices(mesh);
	host_threads_release_caller(&mesh->config);
}

/* Returns the chips to the system. */
static void mesh_give_back(struct mesh_device *mesh)
{
	world->monitor_enter(mesh->system->entry);
	bringup_queues_fini(mesh);
	inventory_release(&mesh->system->inventory, owner_of(mesh));
	world->monitor_exit(mesh->system->entry);
}

static void log_grids(const struct mesh_device *mesh)
{
	for (uint32_t g = 0; g < mesh->plan.grids; g++) {
		const struct broadcast_grid *grid = &mesh->plan.grid[g];

		LOG_TO(DEVICE, INFO,
			"mesh %u: chip %u broadcasts to rows %u to %u, columns %u to %u",
			mesh->number, grid->initiator, grid->range.row0, grid->range.row1,
			grid->range.column0, grid->range.column1);
	}
}

enum status mesh_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct mesh_device **opened)
{
	struct mesh_device *mesh;
	enum status status;

	check_config(config);
	check_pages(config);
	mesh = mesh_new(system, config);
	status = enter_and_claim(mesh, why);
	if (status == STATUS_OK && mesh->cluster != NULL &&
		(status = host_threads_bind_caller(config)) != STATUS_OK) {
		text_append(why, "this machine does not let threads be bound to its processors");
		mesh_give_back(mesh);
	}
	if (status != STATUS_OK) {
		LOG_TO(DEVICE, WARNING, "a mesh of %u x %u devices does not open: %s",
			config->shape.rows, config->shape.columns, status_message(status));
		mesh_free(mesh);
		return status;
	}
	mesh->geometry = mesh->info->chips[mesh->plan.mesh.chips[0]].geometry;
	mesh->streams_differ = needs_own_streams(mesh);
	mesh->created_per_device = creates_per_device(config);
	mesh->site = (struct program_site){.mesh = mesh,
		.shape = mesh->plan.mesh.shape,
		.sub_devices = 1,
		.limits = plan_limits(&mesh->plan, mesh->info, config),
		.ethernet_tiles = mesh->plan.ethernet_tiles,
		.geometry = mesh->geometry};
	init_memory(mesh);
	LOG_TO(DEVICE, INFO, "mesh %u opens: %u x %u devices from row %u, column %u; queues: %u",
		mesh->number, mesh->plan.mesh.shape.rows, mesh->plan.mesh.shape.columns,
		mesh->plan.mesh.offset.row, mesh->plan.mesh.offset.column, mesh->queue_count);
	log_grids(mesh);
	if (mesh->cluster != NULL)
		bring_up(mesh);
	*opened = mesh;
	return STATUS_OK;
}

struct affinity mesh_caller_place(struct mesh_device *mesh)
{
	return host_threads_place(mesh);
}

void mesh_close(struct mesh_device *mesh)
{
	if (mesh == NULL)
		return;
	LOG_TO(DEVICE, INFO, "mesh %u closes", mesh->number);
	for (uint32_t i = 0; i < mesh->queue_count; i++) {
		struct capture *capture = mesh->queues[i].capture;

		mesh->queues[i].capture = NULL;
		if (capture != NULL)
			capture->drop(capture);
	}
	if (mesh->cluster != NULL)
		bring_down(mesh);
	mesh_give_back(mesh);
	mesh_free(mesh);
}
