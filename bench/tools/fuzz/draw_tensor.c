/* Generates random tensors whose layouts do not reorder dimensions. All dimensions but the last
 * two are divided over devices, and the last two are divided over cores. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drawing.h"

enum { RANK_MAX = 4 };

/* Appends numbers, separated by "x". */
static void put_extents(struct text *out, const uint32_t *extents, uint32_t rank)
{
	for (uint32_t i = 0; i < rank; i++)
		text_printf(out, "%s%" PRIu32, i ? "x" : "", extents[i]);
}

static void draw_grid(struct drawing *drawing, uint32_t rank, uint32_t *grid)
{
	grid[rank - 2] = 1 + draw_below(drawing, 4);
	grid[rank - 1] = 1 + draw_below(drawing, 4);
	if (rank == 3)
		grid[0] = 1 + draw_below(drawing, drawing->mesh->devices);
	if (rank == 4) {
		grid[0] = 1 + draw_below(drawing, drawing->mesh->rows);
		grid[1] = 1 + draw_below(drawing, drawing->mesh->columns);
	}
}

struct tensor {
	uint32_t rank, tile_rows; /* `tile_rows` are rows of a tile of 32 columns; 0: no tiles */
	uint32_t grid[RANK_MAX], size[RANK_MAX], shard[RANK_MAX];
	const char *element;
};

static void draw_tensor_draw_shape(struct drawing *drawing, struct tensor *tensor)
{
	draw_grid(drawing, tensor->rank, tensor->grid);
	for (uint32_t at = 0; at < tensor->rank; at++) {
		uint32_t parts = tensor->grid[at], tile = 1;
		bool inner = at + 2 >= tensor->rank;
		uint32_t extent = inner ? draw_magnitude(drawing, 5) : 1 + draw_below(drawing, 2);
		uint32_t less = draw_below(drawing, parts);

		if (inner && tensor->tile_rows)
			tile = at + 1 == tensor->rank ? 32 : tensor->tile_rows;
		tensor->size[at] = parts * extent - less;
		extent = (tensor->size[at] + parts - 1) / parts;
		tensor->shard[at] = (extent + tile - 1) / tile;
	}
}

static void put_layout(struct drawing *drawing, const struct tensor *tensor, struct text *out)
{
	bool packed = strcmp(tensor->element, "bfp_bf8") == 0;

	text_append(out, "tensor<");
	put_extents(out, tensor->size, tensor->rank);
	text_printf(out, "x%s, #tt.layout<(", packed ? "f32" : tensor->element);
	for (int twice = 0; twice < 2; twice++)
		for (uint32_t at = 0; at < tensor->rank; at++)
			text_printf(out, "%sd%" PRIu32 "%s", at ? ", " : "", at,
				at + 1 < tensor->rank ? ""
				: twice		      ? "), "
						      : ") -> (");
	text_printf(out, "%s, <", DRAW_WORD(drawing, "undef", "zero", "one"));
	put_extents(out, tensor->grid, tensor->rank);
	text_append(out, ">, memref<");
	put_extents(out, tensor->shard, tensor->rank);
	if (tensor->tile_rows)
		text_printf(
			out, "x!tt.tile<%" PRIu32 " x 32, %s>", tensor->tile_rows, tensor->element);
	else
		text_printf(out, "x%s", tensor->element);
	text_printf(out, ", #tt.memory_space<%s>>>>", DRAW_WORD(drawing, "l1", "l1", "dram"));
}

static void draw_layout(struct drawing *drawing, struct text *out)
{
	static const uint32_t ranks[] = {2, 2, 3, 4}, tiles[] = {0, 32, 16};
	struct tensor tensor = {
		.rank = ranks[draw_below(drawing, 4)], .tile_rows = tiles[draw_below(drawing, 3)]};

	tensor.element = tensor.tile_rows
				 ? DRAW_WORD(drawing, "f32", "bf16", "i32", "u16", "u8", "bfp_bf8")
				 : DRAW_WORD(drawing, "f32", "bf16", "i32", "u16", "u8");
	draw_tensor_draw_shape(drawing, &tensor);
	put_layout(drawing, &tensor, out);
}

void draw_tensor(struct drawing *drawing, uint32_t depth)
{
	uint32_t number = draw_below(drawing, DRAWN_TENSORS);
	uint32_t queue = draw_below(drawing, drawing->queues);
	struct text layout = {0};

	if (drawing->mesh->tensors[number]) {
		draw_line(drawing, depth,
			"- read_tensor: {tensor: t%" PRIu32 ", queue: %" PRIu32 "}", number, queue);
		return;
	}
	drawing->mesh->tensors[number] = true;
	draw_layout(drawing, &layout);
	draw_line(drawing, depth,
		"- write_tensor: {tensor: t%" PRIu32 ", layout: \"%s\", queue: %" PRIu32 "}",
		number, text_string(&layout), queue);
	text_fini(&layout);
}
