/* The workers of a chip: made and freed together. */
#include "worker_private.h"

#include "base/ensure.h"

#include <stdlib.h>

struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count)
{
	struct worker_group *group = calloc(1, sizeof *group + count * sizeof group->workers[0]);
	const struct chip_geometry *geometry;

	ensure(group != NULL && count > 0, "no memory for %u workers", count);
	group->firmware = firmware;
	group->config = *config;
	group->chip = device_row->number(config->device);
	geometry = device_row->info(device_row->cluster_of(config->device))
			   ->chips[group->chip]
			   .geometry;
	group->l1_bytes = (uint32_t)tile_memory_bytes(geometry, tiles[0]);
	group->slowdown = tile_slowdown(firmware, geometry, tiles[0]);
	group->processors = geometry->tiles[tiles[0]].kind == TILE_ETHERNET
				    ? 1 << PROCESSOR_BRISC
				    : (1 << PROCESSOR_COUNT) - 1;
	group->none_hash = args_hash(NULL, 0);
	group->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct worker *worker = &group->workers[i];

		worker->stage.ops = worker_stage_ops;
		worker->stage.device = config->device;
		worker->stage.tile = tiles[i];
		worker->group = group;
	}
	return group;
}

void worker_group_free(struct worker_group *group)
{
	if (group == NULL)
		return;
	for (uint32_t i = 0; i < group->count; i++) {
		struct worker *worker = &group->workers[i];

		if (worker->plan != NULL)
			launch_plan_release(worker->plan);
		free(worker->pipeline);
		free(worker->fault);
	}
	for (uint32_t i = 0; i < LAUNCH_PLANS; i++)
		launch_plan_free(group->plans[i]);
	free(group);
}

uint32_t worker_group_count(const struct worker_group *group)
{
	return group->count;
}

struct stage *worker_group_stage(struct worker_group *group, uint32_t index)
{
	ensure(index < group->count, "worker %u of %u", index, group->count);
	return &group->workers[index].stage;
}
