/* Creates the workers of a chip, and their processors and routes. */
#include "runner.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdlib.h>

struct worker_group *worker_group_new(const struct firmware *firmware,
	const struct worker_group_config *config, const uint16_t *tiles, uint32_t count)
{
	struct worker_group *group = calloc(1, sizeof *group + count * sizeof group->workers[0]);
	const struct chip_geometry *geometry;

	ensure_memory(group != NULL && count > 0, "%u workers", count);
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
	group->preloads = firmware->preload && geometry->tiles[tiles[0]].kind == TILE_TENSIX;
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

static void runners_free(struct runner_set *set)
{
	for (uint32_t i = 0; set != NULL && i < PROCESSOR_COUNT; i++)
		if (set->runner[i] != NULL)
			firmware_stage_free(&set->runner[i]->base.stage);
	if (set != NULL)
		tile_unit_free(set->tiles);
	free(set);
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
		runners_free(worker->processors);
		free(worker->fault);
	}
	for (uint32_t i = 0; i < LAUNCH_PLANS; i++)
		launch_plan_free(group->plans[i]);
	kernel_codes_fini(&group->codes);
	tile_pool_fini(&group->tiles);
	free(group->is_worker);
	free(group->routes);
	free(group);
}

struct launch_lead *worker_group_lead(struct worker_group *group)
{
	return &group->lead;
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

/* ---- processors ---- */

/* Returns an array with an entry for each tile, which is true if kernels may access the tile. They
 * may access the tiles of this group, and all workers of the worker grid except those that
 * firmware for dispatch uses. */
static bool *find_workers(const struct worker_group *group, const struct chip_geometry *geometry)
{
	bool *is_worker = allocate(geometry->tile_count, sizeof *is_worker);

	for (uint32_t i = 0; i < (uint32_t)geometry->worker_columns * geometry->worker_rows; i++)
		is_worker[geometry->worker_tiles[i]] = true;
	for (uint32_t i = 0; i < geometry->dispatch_tile_count; i++)
		is_worker[geometry->dispatch_tiles[i]] = false;
	for (uint32_t i = 0; i < group->count; i++)
		is_worker[group->workers[i].stage.tile] = true;
	return is_worker;
}

struct stage *worker_processor_make(
	struct worker_group *group, uint32_t index, enum processor processor)
{
	struct worker *worker = &group->workers[index];
	const struct chip_geometry *geometry =
		device_row->info(device_row->cluster_of(group->config.device))
			->chips[group->chip]
			.geometry;

	ensure(index < group->count && group->processors >> processor & 1 &&
			group->config.words.processors > 0,
		"processor %d of worker %u of %u", (int)processor, index, group->count);
	if (group->is_worker == NULL) {
		group->tile_count = geometry->tile_count;
		group->is_worker = find_workers(group, geometry);
	}
	if (worker->processors == NULL)
		worker->processors = allocate(1, sizeof *worker->processors);
	if (worker->processors->runner[processor] != NULL)
		return NULL;
	worker->processors->runner[processor] = runner_new(worker, processor);
	return &worker->processors->runner[processor]->base.stage;
}

struct stage *worker_processor(
	const struct worker_group *group, uint32_t index, enum processor processor)
{
	const struct runner_set *set = group->workers[index].processors;

	return set == NULL || set->runner[processor] == NULL ? NULL
							     : &set->runner[processor]->base.stage;
}

int worker_group_route(struct worker_group *group, struct fabric_tree *tree)
{
	uint32_t number = group->route_count;

	if (number == WORKER_ROUTES_MAX)
		return -1;
	return worker_group_route_as(group, tree, number) ? (int)number : -1;
}

/* The first call allocates the table of routes in its full size. Processors may read the table
 * while later calls add routes, so it must never be moved. */
bool worker_group_route_as(struct worker_group *group, struct fabric_tree *tree, uint32_t number)
{
	if (group->routes == NULL)
		group->routes = allocate(WORKER_ROUTES_MAX, sizeof(struct fabric_tree *));
	if (group->routes[number] != NULL)
		return false;
	group->routes[number] = tree;
	if (number >= group->route_count)
		group->route_count = number + 1;
	return true;
}
