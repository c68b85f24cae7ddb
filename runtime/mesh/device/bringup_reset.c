/* Removes the state that a closed mesh device has left on its chips, so that it does not affect the
 * next mesh device. Removes stages from their processors, and zeroes the words in which the stages
 * counted. */
#include "firmware/worker/worker.h"
#include "mesh/device/bringup.h"
#include "mesh/device/device.h"

static void bringup_reset_clear(const struct mesh_device *mesh, uint16_t chip, uint16_t tile,
	uint32_t address, uint32_t bytes)
{
	if (bytes > 0)
		device_row->clear(mesh_chip(mesh, chip), tile, address, bytes);
}

/* Zeroes the memory that a worker reads before it is first written. */
static void clear_workers(
	const struct mesh_device *mesh, uint16_t chip, const uint16_t *tiles, uint32_t count)
{
	const struct plan *plan = &mesh->plan;

	for (uint32_t i = 0; i < count; i++) {
		bringup_reset_clear(mesh, chip, tiles[i], plan->words.go, sizeof(uint32_t));
		bringup_reset_clear(mesh, chip, tiles[i], plan->words.result, LAUNCH_RESULT_BYTES);
		bringup_reset_clear(
			mesh, chip, tiles[i], plan->words.semaphores, WORKER_SEMAPHORE_BYTES);
		bringup_reset_clear(
			mesh, chip, tiles[i], plan->launch_ring, LAUNCH_SLOTS * LAUNCH_BYTES);
	}
}

/* Clears the words of all chips of the mesh, because a chip may have belonged to an earlier mesh
 * device and may still hold its counts of bytes and credits. */
void bringup_clear(const struct mesh_device *mesh)
{
	for (uint32_t i = 0; i < mesh->part_count; i++) {
		const struct inventory_part *part = &mesh->parts[i];
		const struct tile_claim *claim = &part->claim;

		if (!mesh_owns(mesh, part->chip))
			continue;
		bringup_reset_clear(
			mesh, part->chip, part->tile, claim->word, claim->word_end - claim->word);
		if (claim->role == ROLE_AGGREGATOR)
			bringup_reset_clear(mesh, part->chip, part->tile, claim->byte,
				claim->byte_end - claim->byte);
	}
	for (uint32_t i = 0; i < mesh->devices; i++) {
		uint16_t chip = mesh->plan.mesh.chips[i];
		const struct chip_geometry *geometry = mesh->info->chips[chip].geometry;

		if (!mesh_owns(mesh, chip))
			continue;
		clear_workers(mesh, chip, geometry->worker_tiles,
			(uint32_t)geometry->worker_columns * geometry->worker_rows);
		clear_workers(mesh, chip, mesh->plan.ethernet_tiles, mesh->plan.ethernet_count);
	}
}

static void stop_processors(const struct worker_group *workers, uint32_t index)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		struct stage *stage = worker_processor(workers, index, (enum processor)i);

		if (stage != NULL)
			device_row->stage_stop(stage->device, stage);
	}
}

void bringup_stop(const struct mesh_device *mesh)
{
	for (struct owned *owned = mesh->estate->owned; owned != NULL; owned = owned->next) {
		if (owned->stage != NULL && !owned->boots)
			device_row->stage_stop(owned->stage->device, owned->stage);
		for (uint32_t i = 0; owned->workers && i < worker_group_count(owned->workers);
			i++) {
			struct stage *worker = worker_group_stage(owned->workers, i);

			device_row->stage_stop(worker->device, worker);
			stop_processors(owned->workers, i);
		}
	}
}
