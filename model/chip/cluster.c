/* Creates and frees a simulated cluster: chips, tiles, fabric, network. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chip/device/entries.h"
#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

static void device_init(struct device *device, struct cluster *cluster, uint16_t number)
{
	device->cluster = cluster;
	device->number = number;
	device->info = &cluster->info->chips[number];
	device->grid = sim_grid_of(&cluster->grids, device->info->geometry);
	device->tiles = &cluster->tiles[cluster->tile_count];
	sim_step_queue_init(&device->steps, sim_task_commit);
	cluster->tile_count += device->grid->tile_count;
	for (uint16_t t = 0; t < device->grid->tile_count; t++)
		sim_tile_init(&device->tiles[t], device, t);
	if (device->info->has_pcie)
		device->pcie = sim_pcie_new(device);
}

static void tiles_new(struct cluster *cluster)
{
	size_t count = 0;

	for (uint16_t i = 0; i < cluster->info->chip_count; i++)
		count += cluster->info->chips[i].geometry->tile_count;
	cluster->tiles = sim_memory_new(count * sizeof *cluster->tiles);
}

static void pools_init(struct cluster *cluster)
{
	uint32_t word_bytes = 0;

	for (uint16_t i = 0; i < cluster->info->chip_count; i++) {
		const struct chip_geometry *geometry = cluster->info->chips[i].geometry;

		if (geometry->word_bytes > word_bytes)
			word_bytes = geometry->word_bytes;
	}
	sim_pool_init(&cluster->flights, sizeof(struct flight));
	sim_pool_init(&cluster->cores_steps, sizeof(struct cores_step));
	sim_pool_init(&cluster->tasks, sizeof(struct task));
	sim_pool_init(&cluster->word_chunks, WORD_CHUNK_BYTES);
	sim_pool_init(&cluster->word_tables,
		(word_bytes + WORD_CHUNK_BYTES - 1) / WORD_CHUNK_BYTES * sizeof(uint32_t *));
	sim_pool_init(&cluster->atomic_units, sizeof(struct atomic_unit));
}

enum status sim_cluster_new(const struct cluster_info *info, const struct chip_constants *constants,
	const struct sim_options *options, struct cluster **result, const char **what)
{
	const struct sim_network *network =
		sim_network_find(options->network != NULL ? options->network : "packet");
	struct cluster *cluster;
	struct sim_timing timing;

	if (network == NULL || (options->host > 0 && network->device != &sim_device)) {
		*what = "network";
		return STATUS_INVALID;
	}
	if (options->noc_links && network->device != &sim_device) {
		*what = "noc_links";
		return STATUS_INVALID;
	}
	if (sim_timing_init(&timing, constants, options->topology, what) != STATUS_OK)
		return STATUS_INVALID;
	cause_path_latency(timing.noc_latency_ps);
	cluster = allocate(1, sizeof *cluster);
	cluster->info = info;
	cluster->timing = timing;
	cluster->options = *options;
	cluster->network = network;
	pools_init(cluster);
	sim_window_init(&cluster->window, timing.window_bytes);
	cluster->chips = allocate(info->chip_count, sizeof *cluster->chips);
	tiles_new(cluster);
	for (uint16_t i = 0; i < info->chip_count; i++)
		device_init(&cluster->chips[i], cluster, i);
	sim_fabric_new(cluster, options->joined);
	cluster->fabric->fetch = sim_fabric_fetch;
	if (options->noc_links)
		sim_departures_open(cluster);
	if (network->open != NULL)
		network->open(cluster);
	engine_on_stall(sim_report, cluster);
	*result = cluster;
	return STATUS_OK;
}

void sim_cluster_free(struct cluster *cluster)
{
	if (cluster == NULL)
		return;
	if (cluster->network->close != NULL)
		cluster->network->close(cluster);
	sim_departures_close(cluster);
	sim_fabric_free(cluster);
	for (uint16_t i = 0; i < cluster->info->chip_count; i++) {
		struct device *device = &cluster->chips[i];

		for (uint16_t t = 0; t < device->grid->tile_count; t++)
			sim_tile_fini(&device->tiles[t]);
		sim_crews_free(device);
		sim_layers_free(device);
		sim_step_queue_fini(&device->steps);
		sim_pcie_free(device->pcie);
	}
	for (uint32_t i = 0; i < cluster->stage_count; i++)
		free(cluster->stages[i]->more);
	free(cluster->stages);
	sim_memory_free(cluster->tiles);
	free(cluster->chips);
	sparse_joins_fini(&cluster->joins);
	sim_pool_each(&cluster->flights, sim_flight_fini);
	sim_pool_fini(&cluster->flights);
	sim_pool_each(&cluster->cores_steps, sim_cores_step_fini);
	sim_pool_fini(&cluster->cores_steps);
	sim_pool_fini(&cluster->tasks);
	sim_pool_fini(&cluster->word_chunks);
	sim_pool_fini(&cluster->word_tables);
	sim_pool_fini(&cluster->atomic_units);
	sim_window_fini(&cluster->window);
	sim_grids_free(cluster->grids);
	free(cluster);
}
