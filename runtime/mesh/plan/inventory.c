/* Finds tiles for stages of firmware, the emptiest tile first, and counts what they take. */
#include "mesh/plan/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"

static const char *const role_names[STAGE_ROLE_COUNT] = {
	[ROLE_PREFETCH_H] = "prefetch_h",
	[ROLE_PREFETCH_D] = "prefetch_d",
	[ROLE_PREFETCH_HD] = "prefetch_hd",
	[ROLE_PREFETCH_M] = "broadcast prefetch_d",
	[ROLE_DISPATCHER] = "dispatcher",
	[ROLE_DISPATCH_H] = "dispatch_h",
	[ROLE_PACKETIZER] = "packetizer",
	[ROLE_MCAST_PREFETCH_H] = "mcast_prefetch_h",
	[ROLE_DEPACKETIZER] = "depacketizer",
	[ROLE_AGGREGATOR] = "aggregator",
};

static struct tile_plan *tiles_new(uint32_t count)
{
	struct tile_plan *tiles = allocate(count + 1, sizeof(*tiles));

	return tiles;
}

/* True if dispatch stands on Ethernet tiles: also if there is none left for it. */
static bool on_ethernet(const struct chip_geometry *geometry)
{
	return geometry->dispatch_tile_count == 0 ||
	       geometry->tiles[geometry->dispatch_tiles[0]].kind == TILE_ETHERNET;
}

/* Chips outside the mesh run no programs, so their workers can serve dispatch too. */
static void chip_tiles_init(struct chip_tiles *chip, const struct chip_info *info)
{
	const struct chip_geometry *geometry = info->geometry;
	uint32_t workers = info->mesh_row < 0 && !on_ethernet(geometry)
				   ? (uint32_t)geometry->worker_columns * geometry->worker_rows
				   : 0;

	chip->tile_count = (uint16_t)(geometry->dispatch_tile_count + workers);
	chip->tiles = tiles_new(chip->tile_count);
	for (uint32_t i = 0; i < geometry->dispatch_tile_count; i++)
		tile_plan_init(&chip->tiles[i], geometry, geometry->dispatch_tiles[i]);
	for (uint32_t i = 0; i < workers; i++)
		tile_plan_init(&chip->tiles[geometry->dispatch_tile_count + i], geometry,
			geometry->worker_tiles[i]);
}

void inventory_init(struct inventory *inventory, const struct cluster_info *info)
{
	inventory->info = info;
	inventory->chips = allocate(info->chip_count, sizeof(*inventory->chips));
	for (uint16_t chip = 0; chip < info->chip_count; chip++)
		chip_tiles_init(&inventory->chips[chip], &info->chips[chip]);
}

void inventory_fini(struct inventory *inventory)
{
	for (uint16_t chip = 0; inventory->chips != NULL && chip < inventory->info->chip_count;
		chip++)
		free(inventory->chips[chip].tiles);
	free(inventory->chips);
	inventory->chips = NULL;
}

void inventory_copy(struct inventory *copy, const struct inventory *inventory)
{
	uint16_t chips = inventory->info->chip_count;

	copy->info = inventory->info;
	copy->chips = allocate(chips, sizeof(*copy->chips));
	for (uint16_t chip = 0; chip < chips; chip++) {
		const struct chip_tiles *from = &inventory->chips[chip];

		copy->chips[chip] = *from;
		copy->chips[chip].tiles = tiles_new(from->tile_count);
		memcpy(copy->chips[chip].tiles, from->tiles,
			from->tile_count * sizeof(*from->tiles));
	}
}

static enum status place_prefetch(
	struct tile_plan *plan, const struct stage_need *need, enum prefetch_role role)
{
	const struct firmware_limits *limits = need->limits;
	uint32_t ring_bytes = need->role == ROLE_PREFETCH_M ? limits->receive_ring_bytes
							    : limits->fetch_ring_bytes;
	enum status status = prefetch_place(plan, role, limits, need->prefetch);

	if (status == STATUS_OK && role == PREFETCH_ROLE_D)
		status = tile_plan_bytes(plan, ring_bytes, need->prefetch_ring);
	return status;
}

static enum status place_sockets(struct tile_plan *plan, const struct stage_need *need,
	enum status (*place)(struct tile_plan *plan, const struct firmware_limits *limits,
		uint16_t receivers, struct packetizer_layout *layout))
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < PACKETIZER_SOCKETS_MAX && need->sockets[i] != NULL; i++)
		if (status == STATUS_OK)
			status = place(plan, need->limits, need->receivers, need->sockets[i]);
	return status;
}

static enum status place_stage(struct tile_plan *plan, const struct stage_need *need)
{
	switch (need->role) {
	case ROLE_PREFETCH_H:
		return place_prefetch(plan, need, PREFETCH_ROLE_H);
	case ROLE_PREFETCH_D:
	case ROLE_PREFETCH_M:
		return place_prefetch(plan, need, PREFETCH_ROLE_D);
	case ROLE_PREFETCH_HD:
		return place_prefetch(plan, need, PREFETCH_ROLE_HD);
	case ROLE_DISPATCHER:
		return dispatch_place(plan, need->limits, need->inputs, need->dispatch);
	case ROLE_DISPATCH_H:
		return dispatch_h_place(plan, need->limits, need->dispatch_h);
	case ROLE_PACKETIZER:
		return place_sockets(plan, need, packetizer_place);
	case ROLE_MCAST_PREFETCH_H:
		return place_sockets(plan, need, mcast_prefetch_place);
	case ROLE_DEPACKETIZER:
		return depacketizer_place(plan, need->limits, need->depacketizer);
	case ROLE_AGGREGATOR:
		return aggregator_place(plan, need->receivers, need->aggregator);
	default:
		ensure(false, "role %d", (int)need->role);
	}
}

/* Bytes of L1 that a stage takes of a tile that has room for everything. */
static uint32_t bytes_of(const struct stage_need *need)
{
	struct tile_plan plan = {.word_end = UINT32_MAX, .byte_end = UINT32_MAX};

	(void)place_stage(&plan, need);
	return plan.next_byte;
}

static enum status no_room(const struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, uint32_t needed_bytes, struct text *why)
{
	const struct chip_geometry *geometry = inventory->info->chips[chip].geometry;
	struct inventory_use use = inventory_use(inventory, chip);
	bool ethernet = on_ethernet(geometry);
	struct tile_plan empty;

	if (geometry->dispatch_tile_count == 0)
		return refuse(why, STATUS_NO_SPACE,
			"chip %u of platform %s has no tile for a %s: links take all of its "
			"Ethernet tiles",
			chip, inventory->info->platform, role_names[need->role]);
	tile_plan_init(&empty, geometry, geometry->dispatch_tiles[0]);
	if (needed_bytes > empty.byte_end - empty.next_byte)
		return refuse(why, STATUS_NO_SPACE,
			"chip %u of platform %s has no room for a %s of %u B: its %stiles for "
			"dispatch have %u B each",
			chip, inventory->info->platform, role_names[need->role], needed_bytes,
			ethernet ? "Ethernet " : "", empty.byte_end - empty.next_byte);
	return refuse(why, STATUS_NO_SPACE,
		"chip %u of platform %s has no room for a %s of %u B: its %u %stiles for dispatch "
		"have %u B each, %u of them hold %u stages in %llu B",
		chip, inventory->info->platform, role_names[need->role], needed_bytes,
		inventory->chips[chip].tile_count, ethernet ? "Ethernet " : "",
		empty.byte_end - empty.next_byte, use.tiles, use.processors,
		(unsigned long long)use.l1_bytes);
}

/* One more stage on the tile of `spot`, if it has a processor for it. */
static void place_beside(
	struct tile_plan *plan, const struct stage_spot *spot, struct stage_spot *beside)
{
	*beside = *spot;
	if (tile_plan_processor(plan, &beside->processor) != STATUS_OK)
		*beside = (struct stage_spot){.chip = CHIP_NONE};
}

enum status inventory_place(struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, struct text *why, struct stage_spot *spot)
{
	struct chip_tiles *tiles = &inventory->chips[chip];

	for (uint32_t taken = 0; taken < STAGES_PER_TILE; taken++)
		for (uint16_t i = 0; i < tiles->tile_count; i++) {
			struct tile_plan plan = tiles->tiles[i];

			if (plan.next_processor != taken || place_stage(&plan, need) != STATUS_OK ||
				tile_plan_processor(&plan, &spot->processor) != STATUS_OK)
				continue;
			spot->chip = chip;
			spot->tile = plan.tile;
			if (need->dispatch_s != NULL)
				place_beside(&plan, spot, need->dispatch_s);
			tiles->tiles[i] = plan;
			return STATUS_OK;
		}
	return no_room(inventory, chip, need, bytes_of(need), why);
}

bool inventory_claim(struct inventory *inventory, uint16_t chip, uint16_t tile)
{
	struct chip_tiles *tiles = &inventory->chips[chip];

	for (uint16_t i = 0; i < tiles->tile_count; i++) {
		struct tile_plan *plan = &tiles->tiles[i];

		if (plan->tile != tile)
			continue;
		if (plan->next_processor > 0)
			return false;
		plan->processor_end = 0;
	}
	return true;
}

struct inventory_use inventory_use(const struct inventory *inventory, uint16_t chip)
{
	const struct chip_geometry *geometry = inventory->info->chips[chip].geometry;
	const struct chip_tiles *tiles = &inventory->chips[chip];
	struct inventory_use use = {0};

	for (uint16_t i = 0; i < tiles->tile_count; i++) {
		const struct tile_plan *plan = &tiles->tiles[i];
		struct tile_plan empty;

		if (plan->next_processor == 0)
			continue;
		tile_plan_init(&empty, geometry, plan->tile);
		use.processors += plan->next_processor;
		use.tiles++;
		use.l1_bytes += plan->next_word - empty.next_word;
		use.l1_bytes += plan->next_byte - empty.next_byte;
	}
	return use;
}
