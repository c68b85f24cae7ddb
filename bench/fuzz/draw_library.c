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

/* Kernels whose instructions stand in the file: one hands pages to another, core by core. */
static void draw_kernels(struct drawing *drawing, uint32_t depth, uint32_t number, uint32_t queue)
{
	uint32_t pages = 1 + draw_below(drawing, 8);

	draw_line(drawing, depth,
		"- enqueue_workload: {program: k%" PRIu32 ", cores: %" PRIu32 ", queue: %" PRIu32
		", circular_buffers: 1, circular_buffer_pages: %" PRIu32
		", circular_buffer_bytes: %" PRIu32 ", semaphores: 1, kernels: [",
		number, 1 + draw_below(drawing, 12), queue, 1 + draw_below(drawing, 3),
		16 * (1 + draw_below(drawing, 64)));
	draw_line(drawing, depth + 2,
		"{processor: ncrisc, arguments: [core, %" PRIu32 "], text: \"argument r1, 0\\n"
		"argument r2, 1\\nbusy r1 + 1\\nagain: reserve 0, 1\\npush 0, 1\\nsubtract r2, r2, "
		"1\\n"
		"jump_unequal r2, r0, again\\nuntil_least r2, semaphore 0\"},",
		pages);
	draw_line(drawing, depth + 2,
		"{processor: %s, text: \"again: await 0, 1\\nbusy %" PRIu32
		"\\npop 0, 1\\nadd r1, r1, r0 + 1\\nadd r2, r0, %" PRIu32
		"\\njump_below r1, r2, again\\nraise r1, semaphore 0\"}]}",
		DRAW_WORD(drawing, "brisc", "trisc0", "trisc2"), draw_below(drawing, 500), pages);
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
	if (draw_chance(drawing, 3)) {
		draw_kernels(drawing, depth, number, queue);
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
