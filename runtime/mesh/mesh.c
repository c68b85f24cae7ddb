/* Opening, closing and querying of mesh devices. */
#include "mesh/mesh.h"

#include <stdlib.h>

#include "base/ensure.h"
#include "bringup.h"
#include "mesh/trace.h"
#include "sizes.h"
#include "system.h"

/* ---- systems ---- */

struct mesh_system *mesh_system_new(struct cluster *cluster)
{
	struct mesh_system *system = calloc(1, sizeof(*system));

	ensure(system != NULL, "no memory for a mesh system");
	system->cluster = cluster;
	site_init(&system->site, device_row->info(cluster));
	return system;
}

void system_own(struct mesh_system *system, struct owned owned)
{
	struct owned *kept = arena_alloc(&system->arena, sizeof(*kept));

	*kept = owned;
	kept->next = system->owned;
	system->owned = kept;
}

void mesh_system_free(struct mesh_system *system)
{
	if (system == NULL)
		return;
	for (struct owned *owned = system->owned; owned != NULL; owned = owned->next) {
		firmware_stage_free(owned->stage);
		worker_group_free(owned->workers);
		firmware_free(owned->firmware);
	}
	site_fini(&system->site);
	arena_fini(&system->arena);
	free(system);
}

/* ---- planning ---- */

static void check_config(const struct mesh_config *config)
{
	ensure(config->forward.path != NULL && config->completion != NULL &&
			config->host.threads != NULL,
		"a mesh configuration without its rows");
	ensure(config->costs != NULL && config->limits != NULL,
		"a mesh configuration without costs and limits");
}

enum status mesh_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct mesh_resources *resources, struct text *why)
{
	struct arena arena = {0};
	struct bringup plan;
	struct site site;
	enum status status;

	check_config(config);
	site_init(&site, info);
	status = bringup_plan(&plan, &site, config, &arena, why);
	if (status == STATUS_OK && resources != NULL)
		plan_resources(&plan, &site, config, resources);
	site_fini(&site);
	arena_fini(&arena);
	return status;
}

/* ---- opening ---- */

/* Commands count pages in units. */
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
	uint64_t bank = geometry->dram_bank_bytes;

	if (bank > UINT32_MAX) /* addresses have 32 bits */
		bank = UINT32_MAX;
	mesh->dram = allocator_new("DRAM bank", mesh->plan.spill_bytes,
		bank - mesh->plan.spill_bytes, sizes_page_alignment(config, BUFFER_DRAM));
	mesh->l1 = allocator_new("worker L1", mesh->plan.worker_free,
		geometry->l1_bytes - mesh->plan.worker_free,
		sizes_page_alignment(config, BUFFER_L1));
	mesh->launches.whole = DISPATCH_BEHIND_MAX;
	config_ring_init(
		&mesh->launches.ring, mesh->plan.config_ring, mesh->plan.config_ring_bytes);
	mesh->launches.last = calloc(mesh->devices, sizeof(*mesh->launches.last));
	ensure(mesh->launches.last != NULL, "no memory for %u devices", mesh->devices);
}

static void mesh_free(struct mesh_device *mesh)
{
	bringup_queues_fini(mesh);
	allocator_free(mesh->dram);
	allocator_free(mesh->l1);
	free(mesh->launches.last);
	world->monitor_free(mesh->completed);
	free(mesh);
}

static struct mesh_device *mesh_new(struct mesh_system *system, const struct mesh_config *config)
{
	struct mesh_device *mesh = calloc(1, sizeof(*mesh));

	ensure(mesh != NULL, "no memory for a mesh device");
	mesh->system = system;
	mesh->config = *config;
	mesh->cluster = system->cluster;
	mesh->info = device_row->info(system->cluster);
	mesh->completed = world->monitor_new("completion of an operation");
	return mesh;
}

/* Commands with physical coordinates fit no chip whose tiles stand elsewhere. */
static bool is_parted(const struct mesh_device *mesh)
{
	bool parted = false;

	for (uint32_t device = 0; device < mesh->devices; device++)
		parted |=
			mesh->info->chips[mesh->plan.mesh.chips[device]].geometry != mesh->geometry;
	return parted && mesh->config.coordinates == COORDINATES_PHYSICAL;
}

enum status mesh_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct mesh_device **opened)
{
	struct mesh_device *mesh;
	struct site site;
	enum status status;

	check_config(config);
	check_pages(config);
	mesh = mesh_new(system, config);
	site_copy(&site, &system->site);
	status = bringup_plan(&mesh->plan, &site, config, &system->arena, why);
	if (status == STATUS_OK) {
		mesh->devices = mesh->plan.devices;
		mesh->queue_count = mesh->plan.queues;
		mesh->geometry = mesh->info->chips[mesh->plan.mesh.chips[0]].geometry;
		mesh->parted = is_parted(mesh);
		plan_resources(&mesh->plan, &site, config, &mesh->resources);
		status = bringup_queues(mesh, why);
	}
	if (status != STATUS_OK) {
		site_fini(&site);
		mesh_free(mesh);
		return status;
	}
	site_fini(&system->site);
	system->site = site;
	init_memory(mesh);
	bringup_start(mesh);
	config->host.threads->start(mesh);
	config->completion->start(mesh);
	*opened = mesh;
	return STATUS_OK;
}

void mesh_close(struct mesh_device *mesh)
{
	if (mesh == NULL)
		return;
	for (uint32_t i = 0; i < mesh->queue_count; i++) {
		trace_free(mesh->queues[i].capture);
		mesh->queues[i].capture = NULL;
	}
	bringup_end(mesh);
	mesh->config.completion->stop(mesh);
	mesh->config.host.threads->stop(mesh);
	mesh_free(mesh);
}

/* ---- queries ---- */

struct command_queue *mesh_queue(struct mesh_device *mesh, uint32_t index)
{
	ensure(index < mesh->queue_count, "command queue %u of %u", index, mesh->queue_count);
	return &mesh->queues[index];
}

struct mesh_shape mesh_device_shape(const struct mesh_device *mesh)
{
	return mesh->plan.mesh.shape;
}

uint32_t mesh_device_count(const struct mesh_device *mesh)
{
	return mesh->devices;
}

uint32_t mesh_queue_count(const struct mesh_device *mesh)
{
	return mesh->queue_count;
}

uint16_t mesh_device_chip(const struct mesh_device *mesh, uint16_t row, uint16_t column)
{
	return virtual_mesh_chip(&mesh->plan.mesh, row, column);
}

uint32_t mesh_worker_columns(const struct mesh_device *mesh)
{
	return mesh->geometry->worker_columns;
}

uint32_t mesh_worker_rows(const struct mesh_device *mesh)
{
	return mesh->geometry->worker_rows;
}

uint32_t mesh_ethernet_cores(const struct mesh_device *mesh)
{
	return mesh->plan.ethernet_count;
}

uint16_t mesh_ethernet_tile(const struct mesh_device *mesh, uint32_t core)
{
	ensure(core < mesh->plan.ethernet_count, "Ethernet core %u of %u", core,
		mesh->plan.ethernet_count);
	return mesh->plan.ethernet_tiles[core];
}

uint32_t mesh_dram_banks(const struct mesh_device *mesh)
{
	return mesh->geometry->dram_bank_count;
}

uint64_t mesh_free_bytes(const struct mesh_device *mesh, bool l1)
{
	return allocator_usage(l1 ? mesh->l1 : mesh->dram).free_bytes;
}

uint32_t mesh_worker_result(const struct mesh_device *mesh)
{
	return mesh->plan.words.result;
}

const struct mesh_resources *mesh_device_resources(const struct mesh_device *mesh)
{
	return &mesh->resources;
}

const struct mesh_config *mesh_device_config(const struct mesh_device *mesh)
{
	return &mesh->config;
}

static void count_issue(struct mesh_counters *counters, const struct issue_queue *issue)
{
	struct issue_queue_counters issued = issue_queue_counters(issue);

	counters->bytes_issued += issued.bytes;
	counters->doorbells += issued.doorbells;
	counters->issue_waits += issued.waits;
}

void mesh_device_counters(const struct mesh_device *mesh, struct mesh_counters *counters)
{
	*counters = mesh->counters;
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		for (uint32_t i = 0; i < mesh->devices; i++) {
			count_issue(counters, mesh->queues[queue].lanes[i].issue);
			counters->unicasts += mesh->queues[queue].lanes[i].sent;
		}
		for (uint32_t g = 0; g < mesh->plan.grids; g++) {
			count_issue(counters, mesh->queues[queue].senders[g].issue);
			counters->broadcasts += mesh->queues[queue].senders[g].sent;
		}
	}
}
