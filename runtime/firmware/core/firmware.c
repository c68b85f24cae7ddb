/* The context of all stages, and the functions that they share. */
#include "firmware/core/firmware.h"

#include "base/ensure.h"
#include "command/bytes.h"
#include "firmware/core/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

static void prices_set(const struct firmware_costs *costs, struct firmware_prices *price)
{
#define X(name, base, what)                                                                        \
	ensure(costs->name >= 0 && costs->name < 1e12, "cost " #name " is %g", costs->name);       \
	price->name = (uint64_t)llround(costs->name * 1000);
#include "firmware/core/costs.def"
#undef X
}

struct firmware *firmware_new(const struct firmware_costs *costs,
	const struct firmware_limits *limits, const struct firmware_faults *faults)
{
	struct firmware *firmware = allocate(1, sizeof *firmware);
	const char *which = "";

	ensure(firmware_limits_check(limits, &which, NULL) == STATUS_OK, "limit %s does not fit",
		which);
	prices_set(costs, &firmware->price);
	firmware->limits = *limits;
	if (faults != NULL)
		firmware->faults = *faults;
	return firmware;
}

void firmware_set_physical(struct firmware *firmware, bool physical)
{
	firmware->physical = physical;
}

void firmware_set_command_buffers(struct firmware *firmware, uint32_t count)
{
	firmware->one_command_buffer = count == 1;
}

void firmware_set_preload(struct firmware *firmware, bool preload)
{
	firmware->preload = preload;
}

void firmware_set_profile(struct firmware *firmware, bool profile)
{
	firmware->profile = profile;
}

void firmware_number_from(struct firmware *firmware, uint32_t first_chip)
{
	firmware->first_chip = first_chip;
}

void firmware_free(struct firmware *firmware)
{
	free(firmware);
}

const struct firmware_limits *firmware_limits(const struct firmware *firmware)
{
	return &firmware->limits;
}

const char *fault_kind_name(enum fault_kind kind)
{
	static const char *const names[] = {
		[FAULT_COMMAND] = "COMMAND",
		[FAULT_ORDER] = "ORDER",
		[FAULT_ROUTE] = "ROUTE",
		[FAULT_OVERRUN] = "OVERRUN",
		[FAULT_RECORD] = "RECORD",
		[FAULT_LAUNCH] = "LAUNCH",
		[FAULT_KERNEL] = "KERNEL",
		[FAULT_ELIDED] = "ELIDED",
		[FAULT_FETCH] = "FETCH",
		[FAULT_PROGRAM] = "PROGRAM",
	};

	return (unsigned)kind < FAULT_KIND_COUNT ? names[kind] : "?";
}

void firmware_report(const struct firmware *firmware, const struct firmware_fault *fault)
{
	struct firmware_fault told;

	if (fault->kind == FAULT_PROGRAM && firmware->faults.report == NULL)
		return;
	ensure(firmware->faults.report != NULL, "fault %s of %s on chip %u, tile %u, 0x%x: %s",
		fault_kind_name(fault->kind), fault->stage, fault->chip, fault->tile,
		fault->address, fault->detail);
	told = *fault;
	told.chip = (uint16_t)(firmware->first_chip + fault->chip);
	firmware->faults.report(firmware->faults.context, &told);
}

/* ---- units ---- */

void *stage_new(size_t bytes, const struct stage_ops *ops, const struct firmware *firmware,
	struct stage_place place)
{
	struct stage_base *base = allocate(1, bytes);

	base->stage.ops = ops;
	base->stage.device = place.device;
	base->stage.tile = place.tile;
	base->stage.processor = place.processor;
	base->firmware = firmware;
	base->chip = device_row->number(place.device);
	base->marked_chip = firmware->first_chip + base->chip;
	base->slowdown = tile_slowdown(firmware, stage_geometry(base), place.tile);
	return base;
}

void firmware_stage_free(struct stage *stage)
{
	struct stage_base *base = (struct stage_base *)stage;

	if (base == NULL)
		return;
	if (base->fini != NULL)
		base->fini(base);
	free(base);
}

static void fault_commit(struct stage_base *base)
{
	base->halted = base->fault.detail;
	firmware_report(base->firmware, &base->fault);
}

int64_t stage_fault(
	struct stage_base *base, enum fault_kind kind, uint32_t address, const char *detail)
{
	base->fault = (struct firmware_fault){
		.kind = kind,
		.chip = base->chip,
		.tile = base->stage.tile,
		.stage = base->stage.ops->name,
		.address = address,
		.detail = detail,
	};
	return stage_plan(base, 0, fault_commit);
}

int64_t stage_over(const struct stage_base *base, struct stage_wait *wait)
{
	if (base->ended)
		return STAGE_ENDED;
	return base->halted != NULL ? block_on_tile(wait, false, base->halted) : 0;
}

void stage_commit(struct stage *stage)
{
	struct stage_base *base = (struct stage_base *)stage;

	base->plan(base);
}

/* ---- blocked ---- */

int64_t block_on_tile(struct stage_wait *wait, bool idle, const char *what)
{
	*wait = (struct stage_wait){.on = STAGE_WAIT_TILE, .idle = idle, .what = what};
	return STAGE_BLOCKED;
}

int64_t block_on_arrival(
	struct stage_wait *wait, bool idle, uint32_t range, uint32_t range_bytes, const char *what)
{
	*wait = (struct stage_wait){.on = STAGE_WAIT_TILE,
		.idle = idle,
		.address = range,
		.what = what,
		.range = range,
		.range_bytes = range_bytes,
		.no_writes = true};
	return STAGE_BLOCKED;
}

int64_t block_on_word(struct stage_wait *wait, uint32_t address, uint32_t value, const char *what)
{
	*wait = (struct stage_wait){
		.on = STAGE_WAIT_WORD, .address = address, .value = value, .what = what};
	return STAGE_BLOCKED;
}

int64_t block_on_writes(struct stage_wait *wait, uint32_t value, const char *what)
{
	*wait = (struct stage_wait){.on = STAGE_WAIT_WRITES, .value = value, .what = what};
	return STAGE_BLOCKED;
}

int64_t block_on_fabric(struct stage_wait *wait, struct fabric_tree *tree, const char *what)
{
	*wait = (struct stage_wait){.on = STAGE_WAIT_FABRIC, .fabric = tree, .what = what};
	return STAGE_BLOCKED;
}

/* ---- the machine ---- */

static const struct cluster_info *cluster_info_of(const struct stage_base *base)
{
	return device_row->info(device_row->cluster_of(base->stage.device));
}

const struct chip_geometry *stage_geometry(const struct stage_base *base)
{
	return cluster_info_of(base)->chips[base->chip].geometry;
}

uint32_t tile_slowdown(
	const struct firmware *firmware, const struct chip_geometry *geometry, uint16_t tile)
{
	return geometry->tiles[tile].kind == TILE_ETHERNET
		       ? (uint32_t)firmware->price.ethernet_slowdown
		       : 1000;
}

uint32_t stage_packet_bytes(const struct stage_base *base)
{
	return cluster_info_of(base)->fabric_packet_bytes / COMMAND_ALIGN * COMMAND_ALIGN;
}

bool stage_reaches(const struct stage_base *base, uint32_t tile, uint64_t address, uint64_t length)
{
	const struct chip_geometry *geometry = stage_geometry(base);
	uint64_t bytes;

	if (tile >= geometry->tile_count)
		return false;
	bytes = tile_memory_bytes(geometry, (uint16_t)tile);
	return address <= bytes && length <= bytes - address;
}

struct banks stage_banks(const struct stage_base *base, bool l1)
{
	const struct chip_geometry *geometry = stage_geometry(base);

	if (!l1)
		return (struct banks){geometry->dram_tiles, geometry->dram_bank_count};
	return (struct banks){
		geometry->worker_tiles, (uint32_t)geometry->worker_columns * geometry->worker_rows};
}

bool stage_reaches_pages(const struct stage_base *base, struct banks banks, uint32_t address,
	uint32_t page_bytes, uint64_t first, uint64_t count)
{
	uint64_t rows;

	if (banks.count == 0)
		return false;
	rows = (first + count - 1) / banks.count + 1;
	return rows <= UINT32_MAX / page_bytes &&
	       stage_reaches(base, banks.tiles[0], address, rows * page_bytes);
}
