/* Draws parts of steps that several files need: collectives and matrices of pages. */
#include <inttypes.h>
#include <stdio.h>

#include "drawing.h"

void draw_page_matrix(struct drawing *drawing, const char *layout, uint32_t high, uint32_t wide,
	char *out, size_t size)
{
	int length = snprintf(out, size,
		", page_matrix: [%" PRIu32 ", %" PRIu32 "], orientation: %s, bottom_up: %s", high,
		wide, DRAW_WORD(drawing, "row-major", "column-major"),
		draw_chance(drawing, 2) ? "true" : "false");

	if (draw_chance(drawing, 2))
		snprintf(out + length, size - (size_t)length,
			", shard_pages: [%" PRIu32 ", %" PRIu32 "]",
			layout[0] == 'w' ? high : 1 + draw_below(drawing, high),
			layout[0] == 'h' ? wide : 1 + draw_below(drawing, wide));
}

void draw_collective(struct drawing *drawing, uint32_t depth, uint32_t queue)
{
	draw_line(drawing, depth,
		"- collective: {op: %s, topology: %s, size_bytes: %" PRIu32
		", chunk_pages: %" PRIu32 ", workers: %" PRIu32 ", links: %s, queue: %" PRIu32 "}",
		DRAW_WORD(drawing, "all_gather", "reduce_scatter", "all_reduce", "all_to_all",
			"broadcast"),
		DRAW_WORD(drawing, "line", "line", "line", "ring"), draw_magnitude(drawing, 18),
		draw_below(drawing, 5), draw_below(drawing, 4), DRAW_WORD(drawing, "1", "1", "2"),
		queue);
}
