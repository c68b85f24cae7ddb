/* Computes the resources of a plan, per chip and in total, for the columns of results. Also
 * computes the limits of programs on the plan's devices. */
#include "mesh/choice.h"
#include "mesh/plan/plan.h"

static void most(uint32_t *kept, uint32_t value)
{
	if (value > *kept)
		*kept = value;
}

static void count_chips(const struct plan *plan, const struct inventory *inventory,
	struct mesh_resources *resources)
{
	for (uint16_t chip = 0; chip < inventory->info->chip_count; chip++) {
		struct inventory_use use = inventory_use(inventory, chip);

		if (use.tiles == 0)
			continue;
		resources->total_processors += use.processors;
		resources->total_tiles += use.tiles;
		if (inventory->info->chips[chip].mesh_row < 0) {
			most(&resources->gateway_processors, use.processors);
			most(&resources->gateway_tiles, use.tiles);
			if (use.l1_bytes > resources->gateway_l1_bytes)
				resources->gateway_l1_bytes = use.l1_bytes;
		} else {
			most(&resources->mesh_processors, use.processors);
			most(&resources->mesh_tiles, use.tiles);
			if (use.l1_bytes > resources->mesh_l1_bytes)
				resources->mesh_l1_bytes = use.l1_bytes;
		}
	}
	resources->mesh_dram_bytes =
		(uint64_t)plan->spill_bytes *
		inventory->info->chips[plan->mesh.chips[0]].geometry->dram_bank_count;
}

static uint32_t host_threads(const struct plan *plan, const struct mesh_config *config)
{
	const struct threads_ops *threads = config->host.threads;
	const struct completion_ops *completion = config->completion;
	uint32_t count = 0;

	if (threads->thread_count != NULL)
		count += threads->thread_count(config, plan->devices);
	if (completion->thread_count != NULL)
		count += completion->thread_count(config, plan->devices);
	return count;
}

void plan_resources(const struct plan *plan, const struct inventory *inventory,
	const struct mesh_config *config, struct mesh_resources *resources)
{
	uint64_t lanes = (uint64_t)plan->devices * plan->queues;
	uint64_t feeds = (uint64_t)plan->feeds * plan->queues;
	const struct chip_geometry *first = inventory->info->chips[plan->mesh.chips[0]].geometry;

	*resources = (struct mesh_resources){
		.host_threads = host_threads(plan, config),
		.initiators = plan->grids,
		.worker_config_ring_bytes = plan->config_ring_bytes,
		.workers = (uint32_t)first->worker_columns * first->worker_rows,
		.ethernet_cores = plan->ethernet_count,
		.issue_queues = (uint32_t)(lanes + feeds),
		.completion_queues = (uint32_t)lanes + plan->aggregators,
	};
	count_chips(plan, inventory, resources);
	resources->host_window_bytes =
		resources->issue_queues * (sizes_issue_queue(config) + WINDOW_PAGE_BYTES) +
		resources->completion_queues *
			(sizes_completion_queue(config) + WINDOW_PAGE_BYTES) +
		window_pages(lanes * sizeof(uint32_t)) +
		window_pages(config->sizes.system_memory_bytes);
}

struct program_limits plan_limits(
	const struct plan *plan, const struct cluster_info *info, const struct mesh_config *config)
{
	const struct chip_geometry *geometry = info->chips[plan->mesh.chips[0]].geometry;

	return (struct program_limits){.worker_columns = geometry->worker_columns,
		.worker_rows = geometry->worker_rows,
		.ethernet_cores = (uint16_t)plan->ethernet_count,
		.config_ring_bytes = plan->config_ring_bytes,
		.buffers_base = plan->worker_free,
		.l1_bytes = geometry->l1_bytes,
		.binary_page_bytes = sizes_binary_page(config),
		.packed_bytes = config->limits->dispatch_ring_bytes / 2};
}
