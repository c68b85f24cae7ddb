/* Compares a machine with its description (spec 4.2), and describes the first difference. */
#include <stdio.h>
#include <string.h>

#include "wire/system_file.h"

/* Appends to `why` a number that differs. Returns true. */
static bool say(struct text *why, const char *what, uint64_t found, uint64_t given)
{
	text_printf(why, "%s: %llu, described as %llu", what, (unsigned long long)found,
		(unsigned long long)given);
	return true;
}

/* Returns the rows (or columns) of the NoC that have Tensix tiles, one bit each. The other rows (or
 * columns) are harvested. */
static uint64_t tensix_lines(const struct chip_geometry *geometry, bool rows)
{
	uint64_t lines = 0;

	for (uint16_t i = 0; i < geometry->tile_count; i++) {
		const struct tile_info *tile = &geometry->tiles[i];

		if (tile->kind == TILE_TENSIX)
			lines |= UINT64_C(1) << ((rows ? tile->y : tile->x) & 63);
	}
	return lines;
}

static bool lists_differ(
	const uint16_t *one, uint32_t count, const uint16_t *other, uint32_t other_count)
{
	return count != other_count || memcmp(one, other, count * sizeof *one) != 0;
}

static bool harvesting_differs(const struct chip_geometry *given, const struct chip_geometry *found,
	const char *chip, struct text *why)
{
	for (int rows = 1; rows >= 0; rows--) {
		uint64_t is = tensix_lines(found, rows), was = tensix_lines(given, rows);

		if (is == was)
			continue;
		text_printf(why, "%s: harvesting: Tensix tiles in %s 0x%llx, described as 0x%llx",
			chip, rows ? "rows" : "columns", (unsigned long long)is,
			(unsigned long long)was);
		return true;
	}
	return false;
}

static bool memories_differ(const struct chip_geometry *given, const struct chip_geometry *found)
{
	return given->l1_bytes != found->l1_bytes ||
	       given->ethernet_l1_bytes != found->ethernet_l1_bytes ||
	       given->dram_bank_bytes != found->dram_bank_bytes ||
	       given->dram_bank_count != found->dram_bank_count ||
	       given->word_bytes != found->word_bytes ||
	       given->worker_l1_base != found->worker_l1_base;
}

static bool tiles_differ(const struct chip_geometry *given, const struct chip_geometry *found)
{
	if (given->tile_count != found->tile_count || given->pcie_tile != found->pcie_tile ||
		given->worker_columns != found->worker_columns ||
		given->worker_rows != found->worker_rows)
		return true;
	for (uint16_t i = 0; i < given->tile_count; i++)
		if (given->tiles[i].kind != found->tiles[i].kind ||
			given->tiles[i].x != found->tiles[i].x ||
			given->tiles[i].y != found->tiles[i].y)
			return true;
	return lists_differ(given->worker_tiles,
		       (uint32_t)given->worker_columns * given->worker_rows, found->worker_tiles,
		       (uint32_t)found->worker_columns * found->worker_rows) ||
	       lists_differ(given->ethernet_tiles, given->ethernet_count, found->ethernet_tiles,
		       found->ethernet_count) ||
	       lists_differ(given->idle_ethernet_tiles, given->idle_ethernet_count,
		       found->idle_ethernet_tiles, found->idle_ethernet_count) ||
	       lists_differ(given->dram_tiles, given->dram_bank_count, found->dram_tiles,
		       found->dram_bank_count);
}

static bool geometry_differs(const struct chip_geometry *given, const struct chip_geometry *found,
	const char *chip, struct text *why)
{
	if (harvesting_differs(given, found, chip, why))
		return true;
	if (lists_differ(given->dispatch_tiles, given->dispatch_tile_count, found->dispatch_tiles,
		    found->dispatch_tile_count)) {
		text_printf(why, "%s: dispatch cores: %u, described as %u%s", chip,
			found->dispatch_tile_count, given->dispatch_tile_count,
			found->dispatch_tile_count == given->dispatch_tile_count ? " others" : "");
		return true;
	}
	if (memories_differ(given, found)) {
		text_printf(why, "%s: sizes of memories", chip);
		return true;
	}
	if (tiles_differ(given, found)) {
		text_printf(why, "%s: places of tiles", chip);
		return true;
	}
	return false;
}

static bool chip_differs(const struct cluster_info *given, const struct cluster_info *found,
	uint16_t number, struct text *why)
{
	const struct chip_info *was = &given->chips[number], *is = &found->chips[number];
	char chip[32];

	snprintf(chip, sizeof chip, "chip %u", number);
	if (was->has_pcie != is->has_pcie || was->gateway != is->gateway ||
		was->mesh_row != is->mesh_row || was->mesh_column != is->mesh_column) {
		text_printf(why, "%s: its place or its PCIe", chip);
		return true;
	}
	return was->geometry != is->geometry &&
	       geometry_differs(was->geometry, is->geometry, chip, why);
}

/* Returns the number of links in the connections from chip[0] to chip[1]; 0 if there are none. */
static uint32_t count_links(const struct cluster_info *info, const uint16_t chip[2])
{
	uint32_t links = 0;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const struct fabric_connection *connection = &info->connections[i];

		if (memcmp(connection->chip, chip, sizeof connection->chip) == 0)
			links += connection->links;
	}
	return links;
}

/* Returns true if a connection of `from` has a different number of links in the two machines. */
static bool links_differ(const struct cluster_info *from, const struct cluster_info *given,
	const struct cluster_info *found, struct text *why)
{
	if (given->connection_count == found->connection_count &&
		memcmp(given->connections, found->connections,
			given->connection_count * sizeof *given->connections) == 0)
		return false;
	for (uint32_t i = 0; i < from->connection_count; i++) {
		const uint16_t *chip = from->connections[i].chip;
		uint32_t was = count_links(given, chip), is = count_links(found, chip);

		if (was == is)
			continue;
		text_printf(why, "links between chips %u and %u: %u, described as %u", chip[0],
			chip[1], is, was);
		return true;
	}
	return false;
}

/* Compares the names of the platforms. The name in the description may come from a hostile file, so
 * special characters in it are replaced. */
static bool product_differs(
	const struct cluster_info *given, const struct cluster_info *found, struct text *why)
{
	struct arena arena = {0};

	if (strcmp(given->platform, found->platform) == 0)
		return false;
	text_printf(why, "product: %s, described as %s", found->platform,
		text_plain(given->platform, false, &arena));
	arena_fini(&arena);
	return true;
}

bool system_differs(
	const struct cluster_info *given, const struct cluster_info *found, struct text *why)
{
	if (product_differs(given, found, why))
		return true;
	if (given->clock_mhz != found->clock_mhz)
		return say(why, "clock in MHz", found->clock_mhz, given->clock_mhz);
	if (given->chip_count != found->chip_count)
		return say(why, "chips", found->chip_count, given->chip_count);
	if (given->mesh_rows != found->mesh_rows)
		return say(why, "rows of the mesh", found->mesh_rows, given->mesh_rows);
	if (given->mesh_columns != found->mesh_columns)
		return say(why, "columns of the mesh", found->mesh_columns, given->mesh_columns);
	/* Links are compared before chips, because a missing link also changes the list of the
	 * chip's Ethernet tiles, and would otherwise be reported as a difference of the chip. */
	if (links_differ(given, given, found, why) || links_differ(found, given, found, why))
		return true;
	for (uint16_t i = 0; i < given->chip_count; i++)
		if (chip_differs(given, found, i, why))
			return true;
	if (given->fabric_channels != found->fabric_channels)
		return say(why, "virtual channels of links", found->fabric_channels,
			given->fabric_channels);
	if (given->fabric_packet_bytes != found->fabric_packet_bytes)
		return say(why, "bytes of packets", found->fabric_packet_bytes,
			given->fabric_packet_bytes);
	return false;
}
