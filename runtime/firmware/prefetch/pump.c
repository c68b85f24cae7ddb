/* The pump: reads of DRAM, L1 or host memory through two halves of a buffer. Refuses to know what
 * the bytes are for. */
#include "pump_private.h"

void pump_start(struct pump *pump, uint32_t address, uint32_t half_bytes, uint64_t bytes)
{
	pump->address = address;
	pump->half_bytes = half_bytes;
	pump->source.left = bytes;
	pump->half[0] = pump->half[1] = (struct pump_half){.state = HALF_EMPTY};
	pump->filling = pump->using = 0;
	pump->used = false;
}

struct pump_source pump_pages(const struct unit *unit, const struct prefetch_pages *pages, bool l1)
{
	return (struct pump_source){
		.banks = unit_banks(unit, l1),
		.base = pages->base,
		.page_bytes = pages->page_bytes,
		.page = pages->start_page,
		.read_most = UINT32_MAX,
	};
}

struct pump_source pump_linear(
	const struct unit *unit, uint16_t tile, uint32_t address, uint32_t length)
{
	(void)unit;
	return (struct pump_source){
		.tile = tile,
		.banks = {.tiles = NULL, .count = 1},
		.base = address,
		.page_bytes = length,
		.read_most = UINT32_MAX,
	};
}

struct pump_source pump_host(const struct unit *unit, uint64_t address, uint32_t length)
{
	return (struct pump_source){
		.host = true,
		.host_address = address,
		.page_bytes = length,
		.read_most = unit->firmware->limits.fetch_read_bytes,
	};
}

void pump_settle(struct pump *pump, bool quiet)
{
	struct pump_half *half = &pump->half[pump->filling];

	if (!quiet || half->state != HALF_CLOSING)
		return;
	half->state = HALF_READY;
	pump->filling ^= 1;
}

bool pump_closing(const struct pump *pump)
{
	return pump->half[pump->filling].state == HALF_CLOSING;
}

/* Length of the next read, given the room in the half; 0 if there is none. */
static uint32_t read_length(const struct pump_source *source, uint32_t room)
{
	uint32_t length = least(source->page_bytes - source->in_page, room);

	length = least(length, source->read_most);
	return source->left < length ? (uint32_t)source->left : length;
}

static void source_advance(struct pump_source *source, uint32_t length)
{
	source->left -= length;
	source->in_page += length;
	if (source->in_page == source->page_bytes) {
		source->in_page = 0;
		source->page++;
	}
}

static void read_post(
	const struct pump_source *source, struct stage *stage, uint32_t length, uint32_t to)
{
	uint32_t count = source->banks.count, row;
	uint16_t tile;

	if (source->host) {
		device_row->pcie_read(stage, source->host_address + source->in_page, length, to);
		return;
	}
	row = (uint32_t)(source->page / count);
	tile = source->banks.tiles != NULL ? source->banks.tiles[source->page % count]
					   : source->tile;
	device_row->noc_read(
		stage, tile, source->base + row * source->page_bytes + source->in_page, length, to);
}

/* Walks over the next batch of a copy of the source; posts the reads if `stage` is given. Returns
 * their number and the bytes. */
static uint32_t batch_walk(struct pump_source *source, struct stage *stage, uint32_t to,
	uint32_t room, const struct firmware_limits *limits, uint32_t *bytes)
{
	uint32_t count = 0, total = 0;

	do {
		uint32_t length = read_length(source, room - total);

		if (length == 0)
			break;
		if (stage != NULL)
			read_post(source, stage, length, to + total);
		source_advance(source, length);
		total += length;
		count++;
	} while (total < limits->scratch_batch_bytes && count < limits->scratch_batch_reads);
	*bytes = total;
	return count;
}

static bool half_open(const struct pump_half *half)
{
	return half->state == HALF_EMPTY || half->state == HALF_FILLING;
}

bool pump_refills(const struct pump *pump)
{
	return pump->used && pump->source.left > 0 && pump->half[pump->filling].state == HALF_EMPTY;
}

uint32_t pump_batch(const struct pump *pump, const struct firmware_limits *limits)
{
	const struct pump_half *half = &pump->half[pump->filling];
	struct pump_source source = pump->source;
	uint32_t bytes;

	if (source.left == 0 || !half_open(half))
		return 0;
	return batch_walk(&source, NULL, 0, pump->half_bytes - half->filled, limits, &bytes);
}

void pump_fill(struct pump *pump, struct stage *stage, const struct firmware_limits *limits)
{
	struct pump_half *half = &pump->half[pump->filling];
	uint32_t to = pump->address + pump->filling * pump->half_bytes + half->filled, bytes;

	batch_walk(&pump->source, stage, to, pump->half_bytes - half->filled, limits, &bytes);
	half->filled += bytes;
	half->state = half->filled == pump->half_bytes || pump->source.left == 0 ? HALF_CLOSING
										 : HALF_FILLING;
}

uint32_t pump_ready(const struct pump *pump)
{
	const struct pump_half *half = &pump->half[pump->using];

	return half->state == HALF_READY ? half->filled - half->used : 0;
}

bool pump_turned(const struct pump *pump)
{
	return pump->half[pump->using].used == 0;
}

uint32_t pump_address(const struct pump *pump)
{
	return pump->address + pump->using * pump->half_bytes + pump->half[pump->using].used;
}

void pump_use(struct pump *pump, uint32_t length)
{
	struct pump_half *half = &pump->half[pump->using];

	if (length == 0)
		return;
	pump->used = true;
	half->used += length;
	if (half->used < half->filled)
		return;
	*half = (struct pump_half){.state = HALF_EMPTY};
	pump->using ^= 1;
}

uint64_t pump_rest(const struct pump *pump)
{
	uint64_t rest = pump->source.left;

	for (int i = 0; i < 2; i++)
		rest += pump->half[i].filled - pump->half[i].used;
	return rest;
}
