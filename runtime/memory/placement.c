/* Computes the placement of pages within a device. For every layout, the same function
 * (placement_page()) computes the tile and the offset of a page. */
#include "memory/placement.h"

#include "base/ensure.h"
#include "base/refuse.h"

static const char *const layout_names[BUFFER_LAYOUT_COUNT] = {
	[LAYOUT_INTERLEAVED] = "interleaved",
	[LAYOUT_HEIGHT_SHARDED] = "height-sharded",
	[LAYOUT_WIDTH_SHARDED] = "width-sharded",
	[LAYOUT_BLOCK_SHARDED] = "block-sharded",
};

bool buffer_type_in_dram(enum buffer_type type)
{
	return type == BUFFER_DRAM || type == BUFFER_TRACE;
}

const char *buffer_layout_name(enum buffer_layout layout)
{
	return layout_names[layout];
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return (uint32_t)(((uint64_t)a + b - 1) / b);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t rect_columns(struct worker_rect rect)
{
	return (uint32_t)(rect.column1 - rect.column0) + 1;
}

static uint32_t rect_rows(struct worker_rect rect)
{
	return (uint32_t)(rect.row1 - rect.row0) + 1;
}

/* Returns the number of slots of a sharded buffer. A slot is a DRAM bank, or a core of the buffer's
 * rectangle of cores. Returns 0 if the rectangle is outside the grid. */
static uint32_t shard_slots(
	const struct buffer_config *config, const struct chip_geometry *geometry)
{
	struct worker_rect cores = config->shard.cores;

	if (buffer_type_in_dram(config->type))
		return geometry->dram_bank_count;
	if (cores.column0 > cores.column1 || cores.row0 > cores.row1 ||
		cores.column1 >= geometry->worker_columns || cores.row1 >= geometry->worker_rows)
		return 0;
	return rect_columns(cores) * rect_rows(cores);
}

static enum status place_shards(struct placement *placement, struct text *why)
{
	const struct buffer_config *config = &placement->config;
	const struct shard_parameters *shard = &config->shard;
	const char *layout = buffer_layout_name(config->layout);
	uint64_t shards, turns;

	if (shard->pages_high == 0 || shard->pages_wide == 0 || shard->shard_pages_high == 0 ||
		shard->shard_pages_wide == 0)
		return refuse(
			why, STATUS_INVALID, "%s buffer with an empty shard or matrix", layout);
	if ((uint64_t)shard->pages_high * shard->pages_wide != placement->page_count)
		return refuse(why, STATUS_INVALID,
			"%s buffer of %u pages declared as a matrix of %u x %u pages", layout,
			placement->page_count, shard->pages_high, shard->pages_wide);
	if (config->layout == LAYOUT_HEIGHT_SHARDED && shard->shard_pages_wide < shard->pages_wide)
		return refuse(why, STATUS_INVALID,
			"height-sharded: a shard is %u pages wide, the buffer %u",
			shard->shard_pages_wide, shard->pages_wide);
	if (config->layout == LAYOUT_WIDTH_SHARDED && shard->shard_pages_high < shard->pages_high)
		return refuse(why, STATUS_INVALID,
			"width-sharded: a shard is %u pages high, the buffer %u",
			shard->shard_pages_high, shard->pages_high);
	placement->shards_high = divide_up(shard->pages_high, shard->shard_pages_high);
	placement->shards_wide = divide_up(shard->pages_wide, shard->shard_pages_wide);
	shards = (uint64_t)placement->shards_high * placement->shards_wide;
	placement->slot_count = shard_slots(config, placement->geometry);
	if (placement->slot_count == 0)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"%s buffer on cores %u,%u to %u,%u of a grid of %u x %u", layout,
			shard->cores.column0, shard->cores.row0, shard->cores.column1,
			shard->cores.row1, placement->geometry->worker_columns,
			placement->geometry->worker_rows);
	if (shards > placement->slot_count && !shard->round_robin)
		return refuse(why, STATUS_OUT_OF_RANGE, "%s buffer with %llu shards on %u %s",
			layout, (unsigned long long)shards, placement->slot_count,
			buffer_type_in_dram(config->type) ? "banks" : "cores");
	turns = (shards + placement->slot_count - 1) / placement->slot_count;
	if ((uint64_t)shard->shard_pages_high * shard->shard_pages_wide > UINT32_MAX / turns)
		return refuse(why, STATUS_OUT_OF_RANGE, "%s buffer with huge shards", layout);
	placement->pages_per_slot =
		(uint32_t)turns * shard->shard_pages_high * shard->shard_pages_wide;
	return STATUS_OK;
}

enum status placement_init(struct placement *placement, const struct buffer_config *config,
	uint64_t size_bytes, const struct chip_geometry *geometry, uint32_t alignment,
	struct text *why)
{
	uint64_t mask = (uint64_t)alignment - 1;
	uint64_t stride = ((uint64_t)config->page_bytes + mask) & ~mask;

	ensure(alignment != 0 && (alignment & mask) == 0, "page alignment %u", alignment);
	if (config->page_bytes == 0 || size_bytes == 0 || size_bytes % config->page_bytes != 0)
		return refuse(why, STATUS_INVALID, "%llu B in pages of %u B",
			(unsigned long long)size_bytes, config->page_bytes);
	if (size_bytes / config->page_bytes > UINT32_MAX || stride > UINT32_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%llu B are too many pages of %u B",
			(unsigned long long)size_bytes, config->page_bytes);
	*placement = (struct placement){
		.config = *config,
		.geometry = geometry,
		.size_bytes = size_bytes,
		.page_count = (uint32_t)(size_bytes / config->page_bytes),
		.page_stride = (uint32_t)stride,
	};
	if (config->layout != LAYOUT_INTERLEAVED && config->type == BUFFER_SYSTEM)
		return refuse(why, STATUS_INVALID,
			"%s buffer in system memory, which has no banks or cores",
			buffer_layout_name(config->layout));
	if (config->layout != LAYOUT_INTERLEAVED)
		return place_shards(placement, why);
	if (config->type == BUFFER_SYSTEM) {
		placement->slot_count = 1;
		placement->pages_per_slot = placement->page_count;
		return STATUS_OK;
	}
	placement->slot_count =
		buffer_type_in_dram(config->type)
			? geometry->dram_bank_count
			: (uint32_t)geometry->worker_columns * geometry->worker_rows;
	ensure(placement->slot_count > 0, "a chip without %s",
		buffer_type_in_dram(config->type) ? "DRAM" : "workers");
	placement->pages_per_slot = divide_up(placement->page_count, placement->slot_count);
	return STATUS_OK;
}

uint64_t placement_slot_bytes(const struct placement *placement)
{
	return (uint64_t)placement->pages_per_slot * placement->page_stride;
}

/* Returns the worker tile of slot `slot`. For a sharded buffer, slots are the cores of its
 * rectangle, numbered row by row or column by column; config.shard.orientation chooses the
 * order. */
static uint16_t placement_worker_tile(const struct placement *placement, uint32_t slot)
{
	const struct chip_geometry *geometry = placement->geometry;
	struct worker_rect cores = placement->config.shard.cores;
	uint32_t row, column;

	if (placement->config.layout == LAYOUT_INTERLEAVED)
		return geometry->worker_tiles[slot];
	if (placement->config.shard.orientation == ORIENTATION_ROW_MAJOR) {
		row = slot / rect_columns(cores);
		column = slot % rect_columns(cores);
	} else {
		row = slot % rect_rows(cores);
		column = slot / rect_rows(cores);
	}
	return geometry->worker_tiles[(cores.row0 + row) * geometry->worker_columns +
				      cores.column0 + column];
}

static uint16_t slot_tile(const struct placement *placement, uint32_t slot)
{
	ensure(placement->config.type != BUFFER_SYSTEM, "a tile of system memory");
	if (buffer_type_in_dram(placement->config.type))
		return placement->geometry->dram_tiles[slot];
	return placement_worker_tile(placement, slot);
}

struct page_place placement_page(const struct placement *placement, uint32_t page)
{
	const struct shard_parameters *shard = &placement->config.shard;
	uint32_t slot, local;

	if (placement->config.layout == LAYOUT_INTERLEAVED) {
		slot = page % placement->slot_count;
		local = page / placement->slot_count;
	} else {
		uint32_t row = page / shard->pages_wide, column = page % shard->pages_wide;
		uint32_t number = row / shard->shard_pages_high * placement->shards_wide +
				  column / shard->shard_pages_wide;

		slot = number % placement->slot_count;
		local = number / placement->slot_count * shard->shard_pages_high *
				shard->shard_pages_wide +
			row % shard->shard_pages_high * shard->shard_pages_wide +
			column % shard->shard_pages_wide;
	}
	return (struct page_place){
		.tile = slot_tile(placement, slot),
		.slot = slot,
		.offset = (uint64_t)local * placement->page_stride,
	};
}

struct page_range placement_pages(const struct placement *placement)
{
	return (struct page_range){0, placement->page_count};
}

/* ---- the walk over a sharded buffer ---- */

/* Sets `ahead` to the next run of pages in the current shard. A run is one row of the shard, or all
 * rows if they are contiguous in the buffer. Returns false if the slot has no further shard, or if
 * the shard has no further row. */
static bool walk_rows(struct placement_walk *walk)
{
	const struct placement *placement = walk->placement;
	const struct shard_parameters *shard = &placement->config.shard;
	uint64_t number = (uint64_t)walk->turn * placement->slot_count + walk->slot;
	uint32_t row, column, rows, columns;

	if (number >= (uint64_t)placement->shards_high * placement->shards_wide)
		return false;
	row = (uint32_t)(number / placement->shards_wide) * shard->shard_pages_high;
	column = (uint32_t)(number % placement->shards_wide) * shard->shard_pages_wide;
	rows = smaller(shard->shard_pages_high, shard->pages_high - row);
	columns = smaller(shard->shard_pages_wide, shard->pages_wide - column);
	if (walk->row >= rows)
		return false;
	walk->ahead.page = (row + walk->row) * shard->pages_wide + column;
	walk->ahead.count = columns;
	walk->row++;
	if (shard->shard_pages_wide == shard->pages_wide) {
		walk->ahead.count = (rows - walk->row + 1) * columns;
		walk->row = rows;
	}
	walk->ahead.place = placement_page(placement, walk->ahead.page);
	return true;
}

/* Removes from `ahead` the pages that the walk must leave out. */
static void walk_clip(struct placement_walk *walk)
{
	struct page_run *ahead = &walk->ahead;
	uint32_t first = walk->only.first, end = first + walk->only.count;
	uint32_t skipped = ahead->page < first ? smaller(first - ahead->page, ahead->count) : 0;

	ahead->page += skipped;
	ahead->count -= skipped;
	ahead->place.offset += (uint64_t)skipped * walk->placement->page_stride;
	ahead->count = ahead->page < end ? smaller(ahead->count, end - ahead->page) : 0;
}

/* If walk->ahead has no pages left, sets it to the next run of pages. Returns false at the end of
 * the walk. */
static bool walk_ahead(struct placement_walk *walk)
{
	const struct placement *placement = walk->placement;
	uint64_t shards = (uint64_t)placement->shards_high * placement->shards_wide;

	while (walk->ahead.count == 0 && walk->slot < placement->slot_count) {
		if (walk_rows(walk)) {
			if (walk->only.count > 0)
				walk_clip(walk);
			continue;
		}
		walk->row = 0;
		walk->turn++;
		if ((uint64_t)walk->turn * placement->slot_count + walk->slot < shards)
			continue;
		walk->turn = 0;
		walk->slot++;
	}
	return walk->ahead.count > 0;
}

bool placement_walk_next(struct placement_walk *walk, uint32_t most, struct page_run *run)
{
	if (!walk_ahead(walk))
		return false;
	*run = walk->ahead;
	run->count = smaller(run->count, most);
	walk->ahead.page += run->count;
	walk->ahead.count -= run->count;
	walk->ahead.place.offset += (uint64_t)run->count * walk->placement->page_stride;
	return true;
}

uint32_t placement_walk_stretch(
	const struct placement_walk *walk, uint32_t most, struct page_place *place, uint32_t *runs)
{
	struct placement_walk copy = *walk;
	uint64_t stride = walk->placement->page_stride;
	struct page_run run = {.count = 0};
	uint32_t pages = 0;

	for (*runs = 0; pages < most && walk_ahead(&copy); (*runs)++) {
		if (pages == 0)
			*place = copy.ahead.place;
		else if (copy.ahead.place.slot != place->slot ||
			 copy.ahead.place.offset != place->offset + pages * stride)
			break;
		(void)placement_walk_next(&copy, most - pages, &run);
		pages += run.count;
	}
	return pages;
}
