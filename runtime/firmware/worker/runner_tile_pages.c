/* Pages that instructions on tiles use. A page is either a whole tile, or a row of a matrix, which
 * contains one row of each tile. An access is rejected if the circular buffer has not made the page
 * available to the kernel. */
#include "runner.h"

#include <string.h>

const char *runner_tile_check_pages(
	const struct runner *runner, const struct kernel_instruction *next)
{
	const struct circular_buffer *buffer = &runner->worker->processors->buffers[next->a];
	uint32_t index = value_of(runner, next->c), pushed, there;
	bool packs = tile_packs(next);
	uint64_t pages = (uint64_t)index + 1, bytes = tile_bytes_of(next);

	if (next->a >= runner->worker->plan->message.circular_buffers)
		return "halted: a circular buffer that the core does not have";
	if (tile_of_rows(next)) {
		pages = value_of(runner, next->b);
		bytes = (uint64_t)value_of(runner, (uint8_t)(next->b + 1)) *
			element_bytes(tile_element_of(next));
		if (pages > KERNEL_TILE_SIDE)
			return "halted: a tile of more rows than tiles have";
	}
	if (bytes > buffer->page_bytes)
		return "halted: a tile, or a row of them, that is larger than a page";
	pushed = runner_count_at(runner, runner_count_word(runner, WORDS_PUSHED, next->a)) -
		 runner_count_at(runner, runner_count_word(runner, WORDS_POPPED, next->a));
	there = packs ? buffer->pages - pushed : pushed;
	if (pages <= there)
		return NULL;
	return packs ? "halted: a tile for a page that is not free"
		     : "halted: a tile of a page that was not pushed";
}

/* Returns the address of page `index` of the buffer, counted from the first unread page
 * (WORDS_POPPED) or from the first unwritten page (WORDS_PUSHED). */
static uint32_t page_at(const struct runner *runner, const struct kernel_instruction *next,
	uint32_t words, uint32_t index)
{
	const struct circular_buffer *buffer = &runner->worker->processors->buffers[next->a];
	uint32_t count = runner_count_at(runner, runner_count_word(runner, words, next->a));

	return buffer->address + (count + index) % buffer->pages * buffer->page_bytes;
}

/* The part of a matrix row that lies in one tile. It has 0 bytes if it lies outside the matrix.
 * row_part() returns the part for the tile whose index is in register c of the instruction. */
struct row_part {
	uint32_t address, bytes;
};

static struct row_part row_part(const struct runner *runner, const struct kernel_instruction *next,
	uint32_t words, uint32_t row)
{
	uint64_t first = (uint64_t)value_of(runner, next->c) * COMPUTE_SIDE;
	uint32_t elements = value_of(runner, (uint8_t)(next->b + 1));
	uint32_t bytes = element_bytes(tile_element_of(next));
	struct row_part part = {0};

	if (row >= value_of(runner, next->b) || first >= elements)
		return part;
	part.address = page_at(runner, next, words, row) + (uint32_t)first * bytes;
	part.bytes = least(elements - (uint32_t)first, COMPUTE_SIDE) * bytes;
	return part;
}

/* Copies the 32 elements of row `row` of a tile: from `elements` into the tile if `in` is set,
 * otherwise from the tile to `elements`. A tile consists of faces, so in the tile the row consists
 * of two separate pieces. */
static void row_move(uint8_t *tile, uint32_t row, uint8_t *elements, uint32_t bytes, bool in)
{
	for (uint32_t left = 0; left < COMPUTE_SIDE; left += COMPUTE_FACE) {
		uint8_t *there = tile + compute_place(row, left) * bytes;
		uint8_t *here = elements + left * bytes;

		memcpy(in ? there : here, in ? here : there, COMPUTE_FACE * bytes);
	}
}

/* ---- unpack ---- */

static const char *unpack_tile(
	const struct runner *runner, const struct kernel_instruction *next, struct span *span)
{
	uint32_t address = page_at(runner, next, WORDS_POPPED, value_of(runner, next->c));
	const struct stage *stage = &runner->base.stage;
	const char *why = runner_reads(runner, stage->tile, address, tile_bytes_of(next));

	if (why == NULL)
		*span = device_row->view(stage, address, tile_bytes_of(next));
	return why;
}

static const char *unpack_rows(
	const struct runner *runner, const struct kernel_instruction *next, struct span *span)
{
	uint32_t bytes = element_bytes(tile_element_of(next));
	const struct stage *stage = &runner->base.stage;
	uint8_t tile[COMPUTE_ELEMENTS * 4];
	bool there = true;

	memset(tile, 0, sizeof tile);
	for (uint32_t row = 0; row < COMPUTE_SIDE; row++) {
		struct row_part part = row_part(runner, next, WORDS_POPPED, row);
		uint8_t elements[COMPUTE_SIDE * 4] = {0};
		const char *why = runner_reads(runner, stage->tile, part.address, part.bytes);

		if (why != NULL)
			return why;
		if (part.bytes == 0)
			continue;
		if (device_row->load(stage, part.address, part.bytes, elements) != STATUS_OK)
			there = false;
		row_move(tile, row, elements, bytes, true);
	}
	*span = there ? span_copy(tile, tile_bytes_of(next))
		      : span_of(extent_new_elided(tile_bytes_of(next)));
	return NULL;
}

const char *runner_tile_read(
	const struct runner *runner, const struct kernel_instruction *next, struct span *span)
{
	return tile_of_rows(next) ? unpack_rows(runner, next, span)
				  : unpack_tile(runner, next, span);
}

/* ---- pack ---- */

static const char *pack_rows(
	struct runner *runner, const struct kernel_instruction *next, struct span packed)
{
	uint32_t bytes = element_bytes(tile_element_of(next));
	struct stage *stage = &runner->base.stage;
	uint8_t tile[COMPUTE_ELEMENTS * 4];
	bool there = span_read(packed, 0, packed.length, tile) == STATUS_OK;

	for (uint32_t row = 0; row < COMPUTE_SIDE; row++) {
		struct row_part part = row_part(runner, next, WORDS_PUSHED, row);
		uint8_t elements[COMPUTE_SIDE * 4];
		const char *why;

		if (part.bytes == 0)
			continue;
		why = runner_writes(runner, stage->tile, part.address, part.bytes);
		if (why != NULL)
			return why;
		row_move(tile, row, elements, bytes, false);
		if (there)
			device_row->store(stage, part.address, elements, part.bytes);
		else
			device_row->store_span(
				stage, part.address, span_part(packed, 0, part.bytes));
	}
	return NULL;
}

static const char *pack_tile(
	struct runner *runner, const struct kernel_instruction *next, struct span packed)
{
	uint32_t address = page_at(runner, next, WORDS_PUSHED, value_of(runner, next->c));
	struct stage *stage = &runner->base.stage;
	const char *why = runner_writes(runner, stage->tile, address, packed.length);

	if (why == NULL)
		device_row->store_span(stage, address, packed);
	return why;
}

const char *runner_tile_write(
	struct runner *runner, const struct kernel_instruction *next, struct span packed)
{
	return tile_of_rows(next) ? pack_rows(runner, next, packed)
				  : pack_tile(runner, next, packed);
}
