/* Checks the memory that kernels access. They may read DRAM and the whole L1 of workers. They may
 * write DRAM, the L1 of workers above the runtime's data, and whole semaphores: those of the
 * launch, and standing semaphores, which launches do not set. All other access is rejected. */
#include "runner.h"

static bool is_worker(const struct runner *runner, uint32_t tile)
{
	const struct worker_group *group = runner->worker->group;

	return tile < group->tile_count && group->is_worker[tile];
}

static uint64_t memory_of(const struct runner *runner, uint32_t tile)
{
	return tile_memory_bytes(stage_geometry(&runner->base), (uint16_t)tile);
}

static bool fits(const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length)
{
	return (uint64_t)address + length <= memory_of(runner, tile);
}

static bool is_dram(const struct runner *runner, uint32_t tile)
{
	const struct chip_geometry *geometry = stage_geometry(&runner->base);

	return tile < geometry->tile_count && geometry->tiles[tile].kind == TILE_DRAM;
}

bool runner_is_semaphore(const struct runner *runner, uint32_t address, uint32_t length)
{
	uint64_t own = runner_semaphore(runner, 0),
		 standing = runner_semaphore(runner, SEMAPHORES_MAX),
		 end = (uint64_t)address + length;

	return (address >= own && end <= own + 4 * SEMAPHORES_MAX) ||
	       (address >= standing && end <= standing + 4 * STANDING_SEMAPHORES_MAX);
}

const char *runner_reads(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length)
{
	if (!is_worker(runner, tile) && !is_dram(runner, tile))
		return "halted: a tile that kernels do not reach";
	return fits(runner, tile, address, length) ? NULL : "halted: a read outside memory";
}

const char *runner_writes(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length)
{
	const char *outside = "halted: a write outside what kernels reach";

	if (is_dram(runner, tile))
		return fits(runner, tile, address, length) ? NULL : outside;
	if (!is_worker(runner, tile))
		return "halted: a tile that kernels do not reach";
	if (runner_is_semaphore(runner, address, length))
		return address % 4 == 0 && length % 4 == 0
			       ? NULL
			       : "halted: a semaphore is written in part";
	return address >= runner->worker->group->config.data_base &&
			       fits(runner, tile, address, length)
		       ? NULL
		       : outside;
}

const char *runner_counts(const struct runner *runner, uint32_t tile, uint32_t address)
{
	if (!is_worker(runner, tile))
		return "halted: a tile that kernels do not reach";
	return address % 4 == 0 && runner_is_semaphore(runner, address, 4)
		       ? NULL
		       : "halted: a word that is no semaphore";
}

const char *runner_multicasts(
	const struct runner *runner, struct worker_rect rect, uint32_t address, uint32_t length)
{
	const struct chip_geometry *geometry = stage_geometry(&runner->base);
	const char *why = NULL;

	if (rect.column0 > rect.column1 || rect.row0 > rect.row1 ||
		rect.column1 >= geometry->worker_columns || rect.row1 >= geometry->worker_rows)
		return "halted: a rectangle outside the grid";
	for (uint32_t row = rect.row0; row <= rect.row1; row++)
		for (uint32_t column = rect.column0; column <= rect.column1 && why == NULL;
			column++)
			why = runner_writes(runner,
				geometry->worker_tiles[row * geometry->worker_columns + column],
				address, length);
	return why;
}

/* ---- pages ---- */

static const char *sharded(const struct runner *runner, uint32_t page, uint32_t description,
	const uint32_t *words, uint32_t place[2])
{
	enum { WIDE, SHARD_HIGH, SHARD_WIDE, TILES, SHAPE };
	uint32_t shape[SHAPE], row, column, shard, local;

	for (uint32_t i = 0; i < SHAPE; i++)
		if (!runner_common(runner, description + KERNEL_PAGES_WORDS + i, &shape[i]))
			return "halted: a buffer that common arguments do not describe";
		else if (shape[i] == 0)
			return "halted: a page in a shard that the buffer does not have";
	row = page / shape[WIDE];
	column = page % shape[WIDE];
	shard = row / shape[SHARD_HIGH] * ((shape[WIDE] - 1) / shape[SHARD_WIDE] + 1) +
		column / shape[SHARD_WIDE];
	if (!runner_common(runner, description + KERNEL_PAGES_SHARDED_WORDS + shard % shape[TILES],
		    &place[0]))
		return "halted: a page in a shard that the buffer does not have";
	local = (shard / shape[TILES] * shape[SHARD_HIGH] + row % shape[SHARD_HIGH]) *
			shape[SHARD_WIDE] +
		column % shape[SHARD_WIDE];
	place[1] = words[1] + local * words[2];
	return NULL;
}

const char *runner_page(
	const struct runner *runner, uint32_t page, uint32_t description, uint32_t place[2])
{
	uint32_t words[KERNEL_PAGES_WORDS];
	struct banks banks;

	for (uint32_t i = 0; i < KERNEL_PAGES_WORDS; i++)
		if (!runner_common(runner, description + i, &words[i]))
			return "halted: a buffer that common arguments do not describe";
	if (words[0] >= KERNEL_PAGES_KINDS)
		return "halted: a buffer of no kind";
	if (page >= words[3])
		return "halted: a page that the buffer does not have";
	if (words[0] == KERNEL_PAGES_SHARDED)
		return sharded(runner, page, description, words, place);
	banks = stage_banks(&runner->base, words[0] == KERNEL_PAGES_L1);
	place[0] = banks.tiles[page % banks.count];
	place[1] = words[1] + page / banks.count * words[2];
	return NULL;
}

const char *runner_source(
	const struct runner *runner, uint32_t from, uint32_t to, uint32_t length, struct span *span)
{
	const struct stage *stage = &runner->base.stage;
	const char *why = runner_reads(runner, stage->tile, from, length);

	if (why != NULL)
		return why;
	*span = device_row->view(stage, from, length);
	if (!runner_is_semaphore(runner, to, length) || span->extent == NULL ||
		!span->extent->elided)
		return NULL;
	span_release(*span);
	return "halted: a semaphore is written with bytes that are not simulated";
}
