/* Cases about buffers within a device: whether every page of a sharded buffer has its own place,
 * and whether a core holds the pages of its shard row by row. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "parts.h"
#include "memory/placement.h"

/* The cores that hold shards: the worker grid of a Wormhole chip. */
enum {
	CORE_ROWS = 8,
	CORE_COLUMNS = 8,
	CORES = CORE_ROWS * CORE_COLUMNS,
	ALIGNMENT = 16,
	PAGES_MAX = 1 << 22
};

struct device_case {
	uint32_t pages_high, pages_wide; /* number of pages on one core */
	uint32_t page_high, page_wide, element_bytes;
	const char *layout;
};

static const struct chip_geometry *geometry(void)
{
	static uint16_t tiles[CORES];
	static struct chip_geometry chip = {
		.worker_columns = CORE_COLUMNS, .worker_rows = CORE_ROWS, .worker_tiles = tiles};

	for (uint16_t i = 0; i < CORES; i++)
		tiles[i] = i;
	return &chip;
}

/* Fills *config for a buffer that has one shard for each core. Returns false if the name of the
 * layout is unknown. */
static bool config_of(const struct device_case *given, struct buffer_config *config)
{
	uint32_t high = 1, wide = 1; /* number of shards in each direction */

	*config = (struct buffer_config){.type = BUFFER_L1};
	if (strncmp(given->layout, "HEIGHT", 6) == 0) {
		config->layout = LAYOUT_HEIGHT_SHARDED;
		high = CORES;
	} else if (strncmp(given->layout, "WIDTH", 5) == 0) {
		config->layout = LAYOUT_WIDTH_SHARDED;
		wide = CORES;
	} else if (strncmp(given->layout, "BLOCK", 5) == 0) {
		config->layout = LAYOUT_BLOCK_SHARDED;
		high = CORE_ROWS;
		wide = CORE_COLUMNS;
	} else {
		return false;
	}
	config->page_bytes = given->page_high * given->page_wide * given->element_bytes;
	config->shard = (struct shard_parameters){
		.pages_high = given->pages_high * high,
		.pages_wide = given->pages_wide * wide,
		.shard_pages_high = given->pages_high,
		.shard_pages_wide = given->pages_wide,
		.cores = {.column0 = 0,
			.row0 = 0,
			.column1 = CORE_COLUMNS - 1,
			.row1 = CORE_ROWS - 1},
	};
	return true;
}

/* Returns the number of the page that must be at position `local` of the shard on core `slot`.
 * Within a shard, pages are in row-major order. */
static uint32_t page_expected(const struct placement *placement, uint32_t slot, uint32_t local)
{
	const struct shard_parameters *shard = &placement->config.shard;
	uint32_t row = slot / placement->shards_wide * shard->shard_pages_high +
		       local / shard->shard_pages_wide;
	uint32_t column = slot % placement->shards_wide * shard->shard_pages_wide +
			  local % shard->shard_pages_wide;

	return row * shard->pages_wide + column;
}

/* Writes the number of every page to the page's place, then checks all memory core by core. */
static bool pages_come_back(const struct placement *placement, uint32_t *memory)
{
	uint32_t per_slot = placement->pages_per_slot;

	memset(memory, 0xff, (size_t)per_slot * CORES * sizeof *memory);
	for (uint32_t page = 0; page < placement->page_count; page++) {
		struct page_place place = placement_page(placement, page);
		uint64_t local = place.offset / placement->page_stride;

		if (place.slot >= CORES || place.tile != place.slot || local >= per_slot ||
			place.offset % placement->page_stride)
			return false;
		memory[place.slot * per_slot + local] = page;
	}
	for (uint32_t slot = 0; slot < CORES; slot++)
		for (uint32_t local = 0; local < per_slot; local++)
			if (memory[slot * per_slot + local] !=
				page_expected(placement, slot, local))
				return false;
	return true;
}

static void try_case(
	struct shard_cases *cases, const struct tree_node *where, const struct device_case *given)
{
	const char *label =
		arena_printf(&cases->arena, "%s, %ux%u pages a core of %ux%u", given->layout,
			given->pages_high, given->pages_wide, given->page_high, given->page_wide);
	static const char *const layouts[] = {"HEIGHT", "WIDTH", "BLOCK", NULL};
	uint64_t bytes = (uint64_t)given->page_high * given->page_wide * given->element_bytes;
	uint64_t pages = (uint64_t)given->pages_high * given->pages_wide * CORES;
	struct buffer_config config;
	struct placement placement;
	struct text why = {0};
	uint32_t *memory;

	if (pages > PAGES_MAX || bytes > 1 << 20) {
		cases_add(cases, where, OUTCOME_NOT_RUN, label, "pages that come back",
			"larger than is tried");
		return;
	}
	if (!config_of(given, &config)) {
		cases_add_unknown(cases, where->where, "layout", given->layout, layouts);
		return;
	}
	if (placement_init(&placement, &config, bytes * pages, geometry(), ALIGNMENT, &why) !=
		STATUS_OK) {
		cases_add(cases, where, OUTCOME_DIFFERS, label, "pages that come back",
			text_string(&why));
		text_fini(&why);
		return;
	}
	memory = allocate(pages, sizeof *memory);
	if (pages_come_back(&placement, memory))
		cases_add(cases, where, OUTCOME_AGREES, label, "pages that come back",
			"every page in its shard");
	else
		cases_add(cases, where, OUTCOME_DIFFERS, label, "pages that come back",
			"pages elsewhere");
	free(memory);
	text_fini(&why);
}

/* Returns one of the lists that the sweep combines, or NULL after an error. */
static const struct tree_node *list(
	struct shard_cases *cases, const struct tree_node *section, const char *key)
{
	const struct tree_node *node = tree_get(section, key);

	if (node && node->kind == TREE_SEQUENCE)
		return node;
	diag_error(cases->diag, section->where, "expected a list %s", key);
	return NULL;
}

void cases_device(struct shard_cases *cases, const struct tree_node *section)
{
	static const char *const keys[] = {
		"pages_per_core", "page_shape", "layouts", "datum_B", NULL};
	uint32_t datum = 1;
	const struct tree_node *pages, *shapes, *layouts;
	uint64_t count;

	if (!cases_known_keys(cases, section, keys) || !cases_element_bytes(cases, section, &datum))
		return;
	pages = list(cases, section, "pages_per_core");
	shapes = list(cases, section, "page_shape");
	layouts = list(cases, section, "layouts");
	count = pages && shapes && layouts ? (uint64_t)pages->count * shapes->count * layouts->count
					   : 0;

	for (uint64_t i = 0; i < count && i < CASES_MAX; i++) {
		const struct tree_node *layout = layouts->items[i % layouts->count];
		uint32_t page[2], shape[2];

		if (!cases_numbers(cases, pages->items[i / layouts->count / shapes->count], NULL,
			    page, 2) ||
			!cases_numbers(cases, shapes->items[i / layouts->count % shapes->count],
				NULL, shape, 2))
			return;
		try_case(cases, layout,
			&(struct device_case){page[0], page[1], shape[0], shape[1], datum,
				layout->kind == TREE_SCALAR ? layout->text : "?"});
	}
}
