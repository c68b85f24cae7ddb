/* Draws (generates at random) parts of steps that several files need: collectives and matrices of
 * pages. */
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

/* The elements of a device's part: `high` rows and `wide` columns of elements of 1, 2 or 4 B. */
struct drawn_elements {
	uint32_t high, wide;
};

static struct drawn_elements draw_elements(struct drawing *drawing, uint32_t page, uint32_t pages)
{
	bool flat = draw_chance(drawing, 3);
	uint32_t width = UINT32_C(1) << draw_below(drawing, 3);

	return (struct drawn_elements){flat ? 1 : pages, page / width * (flat ? pages : 1)};
}

/* Draws shards of a matrix: blocks, columns or rows. Some devices may get no shard. */
static uint32_t draw_shards(
	struct drawing *drawing, struct drawn_elements each, bool by_column, char *out, size_t size)
{
	const struct drawn_mesh *mesh = drawing->mesh;
	uint32_t kind = draw_below(drawing, 3);
	uint32_t high = kind == 1 ? 1 : 1 + draw_below(drawing, mesh->rows);
	uint32_t wide = kind == 2 ? 1 : 1 + draw_below(drawing, mesh->columns);

	if (kind == 1 && by_column) /* shards follow the rows of devices */
		wide = 1 + draw_below(drawing, mesh->rows);
	if (kind == 2 && !by_column)
		high = 1 + draw_below(drawing, mesh->columns);
	snprintf(out, size,
		"matrix, global_shape: [%" PRIu32 ", %" PRIu32 "], shard_shape: [%" PRIu32
		", %" PRIu32 "], spread_order: %s",
		each.high * high, each.wide * wide, kind == 1 ? 0 : each.high,
		kind == 2 ? 0 : each.wide, by_column ? "column-major" : "row-major");
	return high * wide;
}

/* Draws a tensor, and a mapper that splits it. The mapper splits one dimension over all devices, or
 * up to two dimensions over the rows and columns of devices, or none. */
static uint32_t draw_mapper(
	struct drawing *drawing, struct drawn_elements each, char *out, size_t size)
{
	const struct drawn_mesh *mesh = drawing->mesh;
	const struct {
		const char *mapper;
		uint32_t high, wide;
	} rows[] = {
		{"[1]", mesh->devices, 1},
		{"[-1]", 1, mesh->devices},
		{"[1, 2]", mesh->rows, mesh->columns},
		{"[-1, -2]", mesh->columns, mesh->rows},
		{"[none, 2]", 1, mesh->columns},
		{"[1, none]", mesh->rows, 1},
		{"[none, none]", 1, 1},
	};
	uint32_t i = draw_below(drawing, sizeof rows / sizeof *rows);

	snprintf(out, size, "mapper, tensor_shape: [1, %" PRIu32 ", %" PRIu32 "], mapper: %s",
		each.high * rows[i].high, each.wide * rows[i].wide, rows[i].mapper);
	return rows[i].high * rows[i].wide;
}

uint32_t draw_matrix_spread(
	struct drawing *drawing, uint32_t page, uint32_t pages, char *out, size_t size)
{
	struct drawn_elements each = draw_elements(drawing, page, pages);
	bool by_column = draw_chance(drawing, 2);

	return draw_chance(drawing, 2) ? draw_mapper(drawing, each, out, size)
				       : draw_shards(drawing, each, by_column, out, size);
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
