/* Draws programs of the library: buffers of their own, the program, and a read of what it has left,
 * all through one queue. Only where their values are simulated and their order is known. */
#include <inttypes.h>
#include <stdio.h>

#include "drawing.h"

/* A row of pages, in a layout that kernels find pages of. */
static void draw_own(struct drawing *drawing, uint32_t depth, char name, uint32_t page,
	uint32_t pages, uint32_t queue)
{
	const char *layout = DRAW_WORD(drawing, "interleaved", "interleaved", "height-sharded");

	draw_line(drawing, depth,
		"- write_buffer: {buffer: %c%" PRIu32 ", bytes: %" PRIu32 ", page_bytes: %" PRIu32
		", memory: %s, layout: %s, queue: %" PRIu32 "}",
		name, drawing->programs, page * pages, page, DRAW_WORD(drawing, "dram", "l1"),
		layout, queue);
}

void draw_library(struct drawing *drawing, uint32_t depth)
{
	uint32_t page = 16 * (1 + draw_below(drawing, 128)), pages = draw_magnitude(drawing, 6);
	uint32_t queue = draw_below(drawing, drawing->queues), number = ++drawing->programs;
	struct text keys = {0};

	if (drawing->elides || drawing->sub_device_count > 0) {
		draw_program(drawing, depth, false);
		return;
	}
	draw_own(drawing, depth, 'f', page, pages, queue);
	draw_own(drawing, depth, 't', page, pages, queue);
	if (draw_chance(drawing, 2))
		text_printf(&keys, ", cores: %" PRIu32, 1 + draw_below(drawing, 12));
	else
		text_printf(&keys, ", cores: [%" PRIu32 ", %" PRIu32 "]",
			1 + draw_below(drawing, 4), 1 + draw_below(drawing, 4));
	if (drawing->mesh->devices > 1 && draw_chance(drawing, 3))
		draw_devices(drawing, &keys);
	draw_line(drawing, depth,
		"- enqueue_workload: {program: p%" PRIu32
		", library: copy, buffers: {from: f%" PRIu32 ", to: t%" PRIu32
		"}%s, queue: %" PRIu32 ", blocking: %s}",
		number, number, number, text_string(&keys), queue,
		draw_chance(drawing, 3) ? "true" : "false");
	draw_line(drawing, depth, "- read_buffer: {buffer: t%" PRIu32 ", queue: %" PRIu32 "}",
		number, queue);
	text_fini(&keys);
}
