/* Starts the kernels of a fabric step (client_private.h). Loading the kernels takes no simulated
 * time. The word that starts them is sent from the host like any other word, so it takes time. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/scenario/hosts.h"
#include "client_fabric.h"
#include "fabric/pattern.h"
#include "fabric/tree.h"

enum { TRAFFIC_PROCESSOR = 1, START_OFFSET = 32 };

const struct cluster_info *client_machine(const struct client *client)
{
	return machine_info(client->plan->platform);
}

static uint16_t chips_of_host(const struct client *client)
{
	return platform_cluster(client->plan->platform)->chip_count;
}

/* Returns the chip with this number in the machine of all hosts, or NULL if it belongs to another
 * process. All hosts have the same number of chips. */
static struct device *client_start_chip(const struct client *client, uint16_t chip)
{
	uint16_t chips = chips_of_host(client);
	struct cluster *cluster = client_cluster(client, chip / chips);

	return cluster ? device_row->chip(cluster, (uint16_t)(chip % chips)) : NULL;
}

struct stage_place client_fabric_place(struct client *client, uint16_t chip, uint32_t worker)
{
	const struct chip_geometry *geometry = client_machine(client)->chips[chip].geometry;
	uint32_t workers = (uint32_t)geometry->worker_columns * geometry->worker_rows;

	return (struct stage_place){
		.device = client_start_chip(client, chip),
		.tile = geometry->worker_tiles[worker % workers],
		.processor = TRAFFIC_PROCESSOR,
	};
}

/* Returns the place of the last worker; senders and the ends of pings use the first workers. */
static struct stage_place last_worker(struct client *client, uint16_t chip)
{
	const struct chip_geometry *geometry = client_machine(client)->chips[chip].geometry;

	return client_fabric_place(
		client, chip, (uint32_t)geometry->worker_columns * geometry->worker_rows - 1);
}

void client_fabric_number(const struct client *client, struct client_fabric *fabric, uint16_t chip)
{
	uint32_t chips = chips_of_host(client);

	firmware_number_from(fabric->firmware, chip / chips * chips);
}

void client_fabric_add(struct client_fabric *fabric, struct stage *stage)
{
	if (fabric->count == fabric->capacity) {
		fabric->capacity = fabric->capacity ? 2 * fabric->capacity : 8;
		fabric->stages =
			allocate_more(fabric->stages, fabric->capacity, sizeof(struct stage *));
	}
	fabric->stages[fabric->count++] = stage;
}

static uint16_t nearest_gateway(const struct fabric_graph *graph, uint16_t chip)
{
	const struct cluster_info *info = graph->info;
	uint16_t *distance = allocate(info->chip_count, sizeof *distance);
	uint32_t nearest = info->chip_count;

	fabric_graph_distances(graph, chip, distance);
	for (uint32_t i = 0; i < info->chip_count; i++)
		if (info->chips[i].has_pcie && distance[i] != UINT16_MAX &&
			(nearest == info->chip_count || distance[i] < distance[nearest]))
			nearest = i;
	ensure(nearest < info->chip_count, "no chip with PCIe leads to chip %u", chip);
	free(distance);
	return (uint16_t)nearest;
}

struct traffic_start client_fabric_start_later(struct client *client, struct client_fabric *fabric,
	uint16_t chip, uint16_t tile, uint32_t operation)
{
	if (fabric->kernel_count == fabric->kernel_capacity) {
		fabric->kernel_capacity = fabric->kernel_capacity ? 2 * fabric->kernel_capacity : 8;
		fabric->kernels = allocate_more(
			fabric->kernels, fabric->kernel_capacity, sizeof(struct client_kernel));
	}
	fabric->kernels[fabric->kernel_count++] = (struct client_kernel){
		.chip = chip, .tile = tile, .gateway = nearest_gateway(&fabric->graph, chip)};
	/* The word lies in the upper half of the tile's words. Firmware does not use this half on
	 * workers. */
	fabric->start = (struct traffic_start){
		.word = client_machine(client)->chips[chip].geometry->word_bytes / 2 + START_OFFSET,
		.value = operation,
	};
	return fabric->start;
}

/* Adds a stage on chip `gateway` that starts the kernels of all chips that are reached through this
 * gateway. Adds no stage if there are no such kernels. */
static void add_starter(struct client *client, struct client_fabric *fabric, uint16_t gateway)
{
	struct traffic_route *routes = allocate(fabric->kernel_count, sizeof *routes);
	uint32_t count = 0;

	for (uint32_t i = 0; i < fabric->kernel_count; i++) {
		const struct client_kernel *kernel = &fabric->kernels[i];
		struct fabric_tree *tree;
		enum status status;

		if (kernel->gateway != gateway || kernel->chip == gateway)
			continue;
		status = fabric_unicast(
			&fabric->graph, gateway, kernel->chip, &fabric->arena, &tree);
		ensure(status == STATUS_OK, "chip %u is near chip %u, but %s", kernel->chip,
			gateway, status_message(status));
		tree->of_machine = client->ground != NULL;
		/* choose the lane (one of several parallel links) explicitly; an automatic choice
		 * would change the lanes of trees that are made later */
		routes[count++] = (struct traffic_route){
			.tree = fabric_tree_on_lane(tree, 1, &fabric->arena), .tile = kernel->tile};
	}
	client_fabric_number(client, fabric, gateway);
	if (count > 0)
		client_fabric_add(
			fabric, traffic_starter_new(fabric->firmware, last_worker(client, gateway),
					&fabric->start, routes, count));
	free(routes);
}

static void post_start(const struct client_fabric *fabric, struct device *device, uint16_t tile)
{
	device_row->post_word(device, tile, fabric->start.word, fabric->start.value);
}

void client_fabric_load(struct client *client, struct client_fabric *fabric)
{
	const struct cluster_info *info = client_machine(client);

	fabric->starters = fabric->count;
	for (uint16_t chip = 0; chip < info->chip_count; chip++)
		if (info->chips[chip].has_pcie && client_start_chip(client, chip) != NULL)
			add_starter(client, fabric, chip);
	for (uint32_t i = 0; i < fabric->count; i++)
		device_row->stage_start(fabric->stages[i]->device, fabric->stages[i]);
}

void client_fabric_start(struct client *client, struct client_fabric *fabric)
{
	/* start the gateways' stages first, since their words travel farthest */
	for (uint32_t i = fabric->starters; i < fabric->count; i++)
		post_start(fabric, fabric->stages[i]->device, fabric->stages[i]->tile);
	for (uint32_t i = 0; i < fabric->kernel_count; i++) {
		const struct client_kernel *kernel = &fabric->kernels[i];
		struct device *device = client_start_chip(client, kernel->chip);

		if (device != NULL && kernel->chip == kernel->gateway)
			post_start(fabric, device, kernel->tile);
	}
}
