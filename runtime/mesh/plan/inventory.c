/* Finds tiles for stages of firmware, and records which parts of tiles are in use. A stage is
 * placed on the tile that has the fewest stages so far and enough room. */
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

static struct dispatch_tile *tiles_new(uint32_t count)
{
	return allocate(count + 1, sizeof(struct dispatch_tile));
}

/* Returns true if dispatch uses Ethernet tiles on chips of this geometry. Also returns true if the
 * geometry has no tile for dispatch, because this happens only if dispatch uses Ethernet tiles and
 * all of them have links. */
static bool on_ethernet(const struct chip_geometry *geometry)
{
	return geometry->dispatch_tile_count == 0 ||
	       geometry->tiles[geometry->dispatch_tiles[0]].kind == TILE_ETHERNET;
}

/* Lists the tiles on which stages can be placed. Chips outside the mesh run no programs, so stages
 * can also be placed on their workers. */
static void chip_tiles_init(struct chip_tiles *chip, const struct chip_info *info)
{
	const struct chip_geometry *geometry = info->geometry;
	uint32_t workers = info->mesh_row < 0 && !on_ethernet(geometry)
				   ? (uint32_t)geometry->worker_columns * geometry->worker_rows
				   : 0;

	chip->tile_count = (uint16_t)(geometry->dispatch_tile_count + workers);
	chip->tiles = tiles_new(chip->tile_count);
	for (uint32_t i = 0; i < geometry->dispatch_tile_count; i++)
		chip->tiles[i].tile = geometry->dispatch_tiles[i];
	for (uint32_t i = 0; i < workers; i++)
		chip->tiles[geometry->dispatch_tile_count + i].tile = geometry->worker_tiles[i];
}

void inventory_init(struct inventory *inventory, const struct cluster_info *info)
{
	inventory->info = info;
	inventory->owner = OWNER_NONE + 1;
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

static enum status inventory_place_prefetch(
	struct tile_plan *plan, const struct stage_need *need, enum prefetch_role role)
{
	const struct firmware_limits *limits = need->limits;
	uint32_t ring_bytes = need->role == ROLE_PREFETCH_M ? limits->receive_ring_bytes
							    : limits->fetch_ring_bytes;
	enum status status = need->held ? prefetch_place_held(plan, limits, need->prefetch)
					: prefetch_place(plan, role, limits, need->prefetch);

	if (status == STATUS_OK && role == PREFETCH_ROLE_D)
		status = tile_plan_bytes(plan, ring_bytes, need->prefetch_ring);
	return status;
}

static enum status inventory_place_depacketizer(
	struct tile_plan *plan, const struct stage_need *need)
{
	enum status status = depacketizer_place(plan, need->limits, need->depacketizer);

	if (status == STATUS_OK && need->held)
		status = tile_plan_words(plan, 1, &need->depacketizer->over_word);
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
		return inventory_place_prefetch(plan, need, PREFETCH_ROLE_H);
	case ROLE_PREFETCH_D:
	case ROLE_PREFETCH_M:
		return inventory_place_prefetch(plan, need, PREFETCH_ROLE_D);
	case ROLE_PREFETCH_HD:
		return inventory_place_prefetch(plan, need, PREFETCH_ROLE_HD);
	case ROLE_DISPATCHER:
		return dispatch_place(plan, need->limits, need->inputs, need->dispatch);
	case ROLE_DISPATCH_H:
		return dispatch_h_place(plan, need->limits, need->dispatch_h);
	case ROLE_PACKETIZER:
		return place_sockets(plan, need, packetizer_place);
	case ROLE_MCAST_PREFETCH_H:
		return place_sockets(plan, need, mcast_prefetch_place);
	case ROLE_DEPACKETIZER:
		return inventory_place_depacketizer(plan, need);
	case ROLE_AGGREGATOR:
		return aggregator_place(plan, need->receivers, need->opens, need->aggregator);
	default:
		ensure(false, "role %d", (int)need->role);
	}
}

/* Returns the number of words and of L1 bytes that a stage uses. Finds these numbers by placing the
 * stage on an empty tile of unlimited size. */
static struct tile_plan inventory_needed(const struct stage_need *need)
{
	struct tile_plan plan = {.word_end = UINT32_MAX, .byte_end = UINT32_MAX};

	(void)place_stage(&plan, need);
	return plan;
}

static enum status no_room(const struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, struct text *why)
{
	struct tile_plan needed = inventory_needed(need);
	uint32_t needed_bytes = needed.next_byte;
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
	if (needed.next_word > empty.word_end - empty.next_word)
		return refuse(why, STATUS_NO_SPACE,
			"chip %u of platform %s has no room for a %s with %u B of words%s: its "
			"tiles for dispatch have %u B of words each (memory.words)",
			chip, inventory->info->platform, role_names[need->role], needed.next_word,
			need->receivers > 0 ? ", 8 B for each receiver" : "",
			empty.word_end - empty.next_word);
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

/* ---- free parts of a tile ---- */

struct range {
	uint32_t begin, end;
};

static struct range claimed(const struct tile_claim *claim, bool words)
{
	return words ? (struct range){claim->word, claim->word_end}
		     : (struct range){claim->byte, claim->byte_end};
}

/* Returns the first unclaimed range of words, or of L1 bytes if `words` is false, at or after
 * `begin`. If there is none before `end`, the range is empty. */
static struct range inventory_next_free(
	const struct dispatch_tile *tile, bool words, uint32_t begin, uint32_t end)
{
	bool moved = true;

	while (moved) {
		moved = false;
		for (uint32_t i = 0; i < tile->count; i++) {
			struct range taken = claimed(&tile->claims[i], words);

			moved |= taken.begin <= begin && taken.end > begin;
			if (taken.begin <= begin && taken.end > begin)
				begin = taken.end;
		}
	}
	for (uint32_t i = 0; i < tile->count; i++) {
		struct range taken = claimed(&tile->claims[i], words);

		if (taken.begin < taken.end && taken.begin > begin && taken.begin < end)
			end = taken.begin;
	}
	return (struct range){begin, begin < end ? end : begin};
}

static uint8_t processors_in(uint8_t bits)
{
	return (uint8_t)__builtin_popcount(bits);
}

/* ---- placing ---- */

/* Assigns one more processor of the tile of `spot` to a second stage, and sets *beside to the place
 * of this stage. If no processor is free, sets the chip in *beside to CHIP_NONE. */
static void place_beside(
	struct tile_plan *plan, const struct stage_spot *spot, struct stage_spot *beside)
{
	*beside = *spot;
	if (tile_plan_processor(plan, &beside->processor) != STATUS_OK)
		*beside = (struct stage_spot){.chip = CHIP_NONE};
}

/* Places the stage into the first free range of L1 and the first free range of words that are large
 * enough for the stage. Returns false if the tile has no such ranges. */
static bool place_stage_on(const struct dispatch_tile *tile, const struct tile_plan *empty,
	const struct stage_need *need, struct tile_plan *before, struct tile_plan *plan)
{
	struct range bytes = inventory_next_free(tile, false, empty->next_byte, empty->byte_end);

	do {
		struct range words =
			inventory_next_free(tile, true, empty->next_word, empty->word_end);

		do {
			*before = *empty;
			before->next_word = words.begin;
			before->word_end = words.end;
			before->next_byte = bytes.begin;
			before->byte_end = bytes.end;
			*plan = *before;
			if (place_stage(plan, need) == STATUS_OK)
				return true;
			words = inventory_next_free(tile, true, words.end, empty->word_end);
		} while (words.begin < words.end);
		bytes = inventory_next_free(tile, false, bytes.end, empty->byte_end);
	} while (bytes.begin < bytes.end);
	return false;
}

static bool place_on(struct dispatch_tile *tile, const struct chip_geometry *geometry,
	uint32_t owner, const struct stage_need *need, struct stage_spot *spot)
{
	struct tile_plan empty, before, plan;

	tile_plan_init(&empty, geometry, tile->tile);
	for (uint32_t i = 0; i < tile->count; i++)
		empty.processors |= tile->claims[i].processors;
	if (!place_stage_on(tile, &empty, need, &before, &plan) ||
		tile_plan_processor(&plan, &spot->processor) != STATUS_OK)
		return false;
	spot->tile = plan.tile;
	if (need->dispatch_s != NULL)
		place_beside(&plan, spot, need->dispatch_s);
	tile->claims[tile->count++] = (struct tile_claim){.owner = owner,
		.role = need->role,
		.word = before.next_word,
		.word_end = plan.next_word,
		.byte = before.next_byte,
		.byte_end = plan.next_byte,
		.processors = plan.processors & (uint8_t)~before.processors};
	tile->stages = processors_in(plan.processors);
	return true;
}

enum status inventory_place(struct inventory *inventory, uint16_t chip,
	const struct stage_need *need, struct text *why, struct stage_spot *spot)
{
	const struct chip_geometry *geometry = inventory->info->chips[chip].geometry;
	struct chip_tiles *tiles = &inventory->chips[chip];

	spot->chip = chip;
	for (uint32_t taken = 0; taken < STAGES_PER_TILE; taken++)
		for (uint16_t i = 0; i < tiles->tile_count; i++) {
			struct dispatch_tile *tile = &tiles->tiles[i];

			if (tile->kept_by == OWNER_NONE && tile->stages == taken &&
				place_on(tile, geometry, inventory->owner, need, spot))
				return STATUS_OK;
		}
	return no_room(inventory, chip, need, why);
}

bool inventory_claim(struct inventory *inventory, uint16_t chip, uint16_t tile)
{
	struct chip_tiles *tiles = &inventory->chips[chip];

	for (uint16_t i = 0; i < tiles->tile_count; i++) {
		struct dispatch_tile *at = &tiles->tiles[i];

		if (at->tile != tile)
			continue;
		if (at->count > 0)
			return false;
		at->kept_by = inventory->owner;
	}
	return true;
}

/* ---- releasing ---- */

static void release_tile(struct dispatch_tile *tile, uint32_t owner)
{
	uint8_t count = tile->count;

	tile->count = tile->stages = 0;
	for (uint8_t i = 0; i < count; i++) {
		if (tile->claims[i].owner == owner)
			continue;
		tile->stages += processors_in(tile->claims[i].processors);
		tile->claims[tile->count++] = tile->claims[i];
	}
	if (tile->kept_by == owner)
		tile->kept_by = OWNER_NONE;
}

void inventory_release(struct inventory *inventory, uint32_t owner)
{
	ensure(owner != OWNER_NONE, "memory without an owner is given back");
	for (uint16_t chip = 0; chip < inventory->info->chip_count; chip++) {
		struct chip_tiles *tiles = &inventory->chips[chip];

		for (uint16_t i = 0; i < tiles->tile_count; i++)
			release_tile(&tiles->tiles[i], owner);
		if (tiles->owner == owner)
			tiles->owner = OWNER_NONE;
	}
}

/* Returns how many claims (struct tile_claim) `owner` has on a chip. If `parts` is not NULL, copies
 * the claims to `parts`. */
static uint32_t inventory_parts_of(const struct inventory *inventory, uint16_t chip, uint32_t owner,
	struct inventory_part *parts)
{
	const struct chip_tiles *tiles = &inventory->chips[chip];
	uint32_t count = 0;

	for (uint16_t i = 0; i < tiles->tile_count; i++)
		for (uint32_t c = 0; c < tiles->tiles[i].count; c++) {
			const struct tile_claim *claim = &tiles->tiles[i].claims[c];

			if (claim->owner != owner)
				continue;
			if (parts != NULL)
				parts[count] =
					(struct inventory_part){chip, tiles->tiles[i].tile, *claim};
			count++;
		}
	return count;
}

struct inventory_part *inventory_parts(
	const struct inventory *inventory, uint32_t owner, struct arena *arena, uint32_t *count)
{
	struct inventory_part *parts;
	uint32_t total = 0;

	for (uint16_t chip = 0; chip < inventory->info->chip_count; chip++)
		total += inventory_parts_of(inventory, chip, owner, NULL);
	parts = arena_array(arena, total, sizeof(*parts));
	*count = 0;
	for (uint16_t chip = 0; chip < inventory->info->chip_count; chip++)
		*count += inventory_parts_of(inventory, chip, owner, parts + *count);
	return parts;
}

struct inventory_use inventory_use(const struct inventory *inventory, uint16_t chip)
{
	const struct chip_tiles *tiles = &inventory->chips[chip];
	struct inventory_use use = {0};

	for (uint16_t i = 0; i < tiles->tile_count; i++) {
		const struct dispatch_tile *tile = &tiles->tiles[i];

		use.processors += tile->stages;
		use.tiles += tile->count > 0;
		for (uint32_t c = 0; c < tile->count; c++) {
			const struct tile_claim *claim = &tile->claims[c];

			use.l1_bytes += claim->word_end - claim->word;
			use.l1_bytes += claim->byte_end - claim->byte;
		}
	}
	return use;
}
