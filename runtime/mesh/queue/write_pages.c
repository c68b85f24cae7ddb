/* Makes the dispatch commands that write pages. Interleaved pages keep their order. Sharded pages
 * are written in the order in which they lie on the device, so that one command writes pages that
 * are contiguous there. Pages are padded as on the device. Pinned pages are not copied: the
 * prefetcher reads them itself. */
#include "mesh/queue/transfer.h"

#include <string.h>

#include "world/world.h"

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Returns the maximum number of pages in one command. A command with its data must not exceed the
 * longest piece that an issue queue can transfer. Pages in pinned memory are not part of the
 * command. Their number is limited only by the largest length that fits into the command. */
static uint32_t pages_per_command(const struct page_source *source)
{
	uint32_t stride = source->placement->page_stride, pages;

	if (source->pinned != 0)
		return DISPATCH_LENGTH_MAX / stride;
	pages = (source->entry_bytes - 4 * COMMAND_BYTES) / stride;
	return pages > 0 ? pages : 1;
}

/* ---- data ---- */

/* Copies pages [page, page + count) to `to`, and pads each page to its stride. Returns the address
 * after the last copied page. */
static uint8_t *copy_pages(
	const struct page_source *source, uint32_t page, uint32_t count, uint8_t *to)
{
	uint32_t bytes = source->placement->config.page_bytes;
	uint32_t stride = source->placement->page_stride;
	const uint8_t *from = source->data + (uint64_t)page * bytes;

	if (bytes == stride) {
		memcpy(to, from, (size_t)count * bytes);
		return to + (size_t)count * bytes;
	}
	for (uint32_t i = 0; i < count; i++, to += stride, from += bytes) {
		memcpy(to, from, bytes);
		memset(to + bytes, 0, stride - bytes);
	}
	return to;
}

/* Appends `count` pages in `span` as the data of a command, and charges the copies. On the host,
 * the pages form `runs` runs of contiguous pages. */
static void put_data(struct command_stream *stream, const struct page_source *source,
	struct span span, uint32_t count, uint32_t runs)
{
	bool padded = source->placement->page_stride != source->placement->config.page_bytes;

	world->work(WORK_COPY_RUN, padded ? count : runs);
	command_stream_data(stream, span, source->from);
	span_release(span);
	/* ends the command, so that each command can be routed separately */
	command_stream_break(stream);
}

static struct span new_data(const struct page_source *source, uint32_t count)
{
	uint32_t bytes = count * source->placement->page_stride;

	return span_of(source->elided ? extent_new_elided(bytes) : extent_new(bytes));
}

/* Appends a prefetch command for the last dispatch command: the prefetcher reads that command's
 * data, pages [page, page + count), from pinned memory. */
static void put_pinned(struct command_stream *stream, const struct page_source *source,
	uint32_t page, uint32_t count)
{
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_HOST};
	uint32_t stride = source->placement->page_stride;

	relay.relay_host.address = source->pinned + (uint64_t)page * stride;
	relay.relay_host.length = count * stride;
	command_stream_prefetch(stream, &relay);
}

/* ---- pages too large for one command ---- */

bool pages_name_tiles(const struct placement *placement)
{
	return placement->config.layout != LAYOUT_INTERLEAVED ||
	       placement->page_stride > PAGE_WHOLE_MAX;
}

/* Copies bytes [at, at + length) of a page to `to`. Bytes after the end of the page are padding,
 * and are set to 0. */
static void copy_part(
	const struct page_source *source, uint32_t page, uint32_t at, uint32_t length, uint8_t *to)
{
	uint32_t bytes = source->placement->config.page_bytes;
	uint32_t real = at < bytes ? smaller(length, bytes - at) : 0;

	memcpy(to, source->data + (uint64_t)page * bytes + at, real);
	memset(to + real, 0, length - real);
}

/* Appends the commands that write a page in parts, one command for each part. */
static void put_parts(
	struct command_stream *stream, const struct page_source *source, uint32_t page)
{
	struct page_place place = placement_page(source->placement, page);
	uint32_t stride = source->placement->page_stride, length;

	for (uint32_t at = 0; at < stride; at += length) {
		struct dispatch_command command = {.kind = DISPATCH_WRITE_LINEAR};
		struct span span;

		length = smaller(PAGE_WHOLE_MAX, stride - at);
		command.write_linear.tile = place.tile;
		command.write_linear.address = source->address + (uint32_t)place.offset + at;
		command.write_linear.length = length;
		command_stream_dispatch(stream, &command);
		span = span_of(source->elided ? extent_new_elided(length) : extent_new(length));
		if (!source->elided)
			copy_part(source, page, at, length, span.extent->bytes);
		put_data(stream, source, span, 1, 1);
	}
}

/* ---- layouts ---- */

static void put_interleaved(struct command_stream *stream, const struct page_source *source)
{
	const struct placement *placement = source->placement;
	uint32_t slots = placement->slot_count, stride = placement->page_stride, count;

	uint32_t end = source->pages.first + source->pages.count;

	for (uint32_t page = source->pages.first; page < end; page += count) {
		struct dispatch_command command = {.kind = DISPATCH_WRITE_PAGED,
			.flags = buffer_type_in_dram(placement->config.type) ? 0 : DISPATCH_L1};
		struct span span;

		count = smaller(pages_per_command(source), end - page);
		command.write_paged.start_page = (uint16_t)(page % slots);
		command.write_paged.base = source->address + page / slots * stride;
		command.write_paged.page_bytes = stride;
		command.write_paged.pages = count;
		command_stream_dispatch(stream, &command);
		if (source->pinned != 0) {
			put_pinned(stream, source, page, count);
			continue;
		}
		span = new_data(source, count);
		if (!source->elided)
			copy_pages(source, page, count, span.extent->bytes);
		put_data(stream, source, span, count, 1);
	}
}

/* Appends the data of the next `count` pages of the walk to the last dispatch command. On the host,
 * the pages form `runs` runs of contiguous pages. */
static void put_stretch(struct command_stream *stream, const struct page_source *source,
	struct placement_walk *walk, uint32_t count, uint32_t runs)
{
	struct span span = {0};
	struct page_run run = {.count = 0};
	uint8_t *to = NULL;

	if (source->pinned == 0)
		span = new_data(source, count);
	if (source->pinned == 0 && !source->elided)
		to = span.extent->bytes;
	for (uint32_t left = count; left > 0; left -= run.count) {
		(void)placement_walk_next(walk, left, &run);
		if (source->pinned != 0)
			put_pinned(stream, source, run.page, run.count);
		else if (to != NULL)
			to = copy_pages(source, run.page, run.count, to);
	}
	if (source->pinned == 0)
		put_data(stream, source, span, count, runs);
}

static void put_sharded(struct command_stream *stream, const struct page_source *source)
{
	struct placement_walk walk = {.placement = source->placement, .only = source->pages};
	uint32_t most = pages_per_command(source), count, runs;
	struct page_place place;

	while ((count = placement_walk_stretch(&walk, most, &place, &runs)) > 0) {
		struct dispatch_command command = {.kind = DISPATCH_WRITE_LINEAR};

		command.write_linear.tile = place.tile;
		command.write_linear.address = source->address + (uint32_t)place.offset;
		command.write_linear.length = count * source->placement->page_stride;
		command_stream_dispatch(stream, &command);
		put_stretch(stream, source, &walk, count, runs);
	}
}

void write_pages(struct command_stream *stream, const struct page_source *source)
{
	const struct placement *placement = source->placement;

	if (source->pinned == 0 && placement->page_stride > PAGE_WHOLE_MAX)
		for (uint32_t i = 0; i < source->pages.count; i++)
			put_parts(stream, source, source->pages.first + i);
	else if (placement->config.layout == LAYOUT_INTERLEAVED)
		put_interleaved(stream, source);
	else
		put_sharded(stream, source);
}
