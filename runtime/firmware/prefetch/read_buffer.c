/* Reads DRAM, L1 or host memory through two halves of a buffer, or through the whole buffer. */
#include "prefetch_private.h"

void read_buffer_start(
	struct read_buffer *buffer, uint32_t address, uint32_t half_bytes, uint64_t bytes)
{
	buffer->address = address;
	buffer->half_bytes = half_bytes;
	buffer->source.left = bytes;
	buffer->half[0] = buffer->half[1] = (struct read_half){.state = HALF_EMPTY};
	buffer->filling = buffer->using = 0;
	buffer->used = buffer->whole = false;
}

void read_buffer_join(struct read_buffer *buffer)
{
	buffer->half_bytes *= 2;
	buffer->whole = true;
}

struct read_source read_source_pages(
	const struct stage_base *base, const struct prefetch_pages *pages, bool l1)
{
	return (struct read_source){
		.banks = stage_banks(base, l1),
		.l1 = l1,
		.base = pages->base,
		.page_bytes = pages->page_bytes,
		.page = pages->start_page,
		.read_most = UINT32_MAX,
	};
}

struct read_source read_source_linear(
	const struct stage_base *base, uint16_t tile, uint32_t address, uint32_t length)
{
	(void)base;
	return (struct read_source){
		.tile = tile,
		.banks = {.tiles = NULL, .count = 1},
		.base = address,
		.page_bytes = length,
		.read_most = UINT32_MAX,
	};
}

struct read_source read_source_host(
	const struct stage_base *base, uint64_t address, uint32_t length)
{
	return (struct read_source){
		.host = true,
		.host_address = address,
		.page_bytes = length,
		.read_most = base->firmware->limits.fetch_read_bytes,
	};
}

void read_buffer_settle(struct read_buffer *buffer, bool quiet)
{
	struct read_half *half = &buffer->half[buffer->filling];

	if (!quiet || half->state != HALF_CLOSING)
		return;
	half->state = HALF_READY;
	if (!buffer->whole)
		buffer->filling ^= 1;
}

bool read_buffer_closing(const struct read_buffer *buffer)
{
	return buffer->half[buffer->filling].state == HALF_CLOSING;
}

/* Returns the length of the next read into a half of the double buffer. The half has `room` free
 * bytes. Returns 0 if `room` is 0, or if nothing is left to read. */
static uint32_t read_length(const struct read_source *source, uint32_t room)
{
	uint32_t length = least(source->page_bytes - source->in_page, room);

	length = least(length, source->read_most);
	return source->left < length ? (uint32_t)source->left : length;
}

static void source_advance(struct read_source *source, uint32_t length)
{
	source->left -= length;
	source->in_page += length;
	if (source->in_page == source->page_bytes) {
		source->in_page = 0;
		source->page++;
	}
}

static void read_post(
	const struct read_source *source, struct stage *stage, uint32_t length, uint32_t to)
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

/* Advances `source` past its next batch of reads. Returns the number of reads, and sets *bytes to
 * their total size. If `stage` is not NULL, posts the reads, to L1 from address `to` on. */
static uint32_t batch_walk(struct read_source *source, struct stage *stage, uint32_t to,
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

static bool half_open(const struct read_half *half)
{
	return half->state == HALF_EMPTY || half->state == HALF_FILLING;
}

bool read_buffer_refills(const struct read_buffer *buffer)
{
	return buffer->used && buffer->source.left > 0 &&
	       buffer->half[buffer->filling].state == HALF_EMPTY;
}

uint32_t read_buffer_batch(const struct read_buffer *buffer, const struct firmware_limits *limits)
{
	const struct read_half *half = &buffer->half[buffer->filling];
	struct read_source source = buffer->source;
	uint32_t bytes;

	if (source.left == 0 || !half_open(half))
		return 0;
	return batch_walk(&source, NULL, 0, buffer->half_bytes - half->filled, limits, &bytes);
}

void read_buffer_fill(
	struct read_buffer *buffer, struct stage *stage, const struct firmware_limits *limits)
{
	struct read_half *half = &buffer->half[buffer->filling];
	uint32_t to = buffer->address + buffer->filling * buffer->half_bytes + half->filled, bytes;

	batch_walk(&buffer->source, stage, to, buffer->half_bytes - half->filled, limits, &bytes);
	half->filled += bytes;
	half->state = half->filled == buffer->half_bytes || buffer->source.left == 0 ? HALF_CLOSING
										     : HALF_FILLING;
}

uint32_t read_buffer_ready(const struct read_buffer *buffer)
{
	const struct read_half *half = &buffer->half[buffer->using];

	return half->state == HALF_READY ? half->filled - half->used : 0;
}

bool read_buffer_turned(const struct read_buffer *buffer)
{
	return buffer->half[buffer->using].used == 0;
}

uint32_t read_buffer_address(const struct read_buffer *buffer)
{
	return buffer->address + buffer->using * buffer->half_bytes +
	       buffer->half[buffer->using].used;
}

void read_buffer_use(struct read_buffer *buffer, uint32_t length)
{
	struct read_half *half = &buffer->half[buffer->using];

	if (length == 0)
		return;
	buffer->used = true;
	half->used += length;
	if (half->used < half->filled)
		return;
	*half = (struct read_half){.state = HALF_EMPTY};
	if (!buffer->whole)
		buffer->using ^= 1;
}

uint64_t read_buffer_rest(const struct read_buffer *buffer)
{
	uint64_t rest = buffer->source.left;

	for (int i = 0; i < 2; i++)
		rest += buffer->half[i].filled - buffer->half[i].used;
	return rest;
}
