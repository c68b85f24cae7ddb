/* Draws (generates at random) programs of the library. First come the writes of all buffers of the
 * program, then the program itself, then a read of its results. All these steps use the same
 * queue. Library programs are drawn only for machines of one host. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drawing.h"
#include "programs/library.h"
#include "world/bounds.h"

enum { TILE_SIDE = 32 };

/* Draws a step that writes a buffer of a library program. The buffer is interleaved or sharded. It
 * is sometimes in the L1 of `of`, the sub-device on which the program runs. */
static void draw_own(struct drawing *drawing, uint32_t depth, const char *name, uint32_t page,
	uint32_t pages, uint32_t queue, const struct sub_device_keys *of)
{
	bool local = of != NULL && drawing->sub_device_l1 > 0 && draw_chance(drawing, 3);
	const char *layout = DRAW_WORD(drawing, "interleaved", "interleaved", "sharded",
		"height-sharded", "width-sharded", "block-sharded");
	uint32_t wide = 1 + draw_below(drawing, pages);
	char matrix[DRAW_MATRIX_MAX] = "";

	while (pages % wide != 0)
		wide--;
	if (strchr(layout, '-') != NULL)
		draw_page_matrix(drawing, layout, pages / wide, wide, matrix, sizeof matrix);
	draw_line(drawing, depth,
		"- write_buffer: {buffer: %s%" PRIu32 ", bytes: %" PRIu32 ", page_bytes: %" PRIu32
		", memory: %s, layout: %s%s%s%s, queue: %" PRIu32 "}",
		name, drawing->programs, page * pages, page,
		local ? "l1" : DRAW_WORD(drawing, "dram", "l1"), layout, matrix,
		local ? ", sub_device: " : "", local ? of->name : "", queue);
}

static const struct sub_device_keys *draw_sub_device(struct drawing *drawing)
{
	return drawing->sub_device_count == 0
		       ? NULL
		       : &drawing->sub_devices[draw_below(drawing, drawing->sub_device_count)];
}

/* Draws the key `cores`. With a sub-device `of`, also writes the key `sub_device`, and draws a
 * rectangle within it. If `of` is NULL, draws a rectangle or, if `number` is set, sometimes a
 * number of cores. */
static void draw_own_cores(
	struct drawing *drawing, const struct sub_device_keys *of, bool number, struct text *keys)
{
	uint32_t columns = of != NULL ? of->cores[0] : 4, rows = of != NULL ? of->cores[1] : 4;

	if (of != NULL)
		text_printf(keys, ", sub_device: %s", of->name);
	if (of == NULL && number && draw_chance(drawing, 2))
		text_printf(keys, ", cores: %" PRIu32, 1 + draw_below(drawing, 12));
	else
		text_printf(keys, ", cores: [%" PRIu32 ", %" PRIu32 "]",
			1 + draw_below(drawing, columns), 1 + draw_below(drawing, rows));
}

/* Generates a random program with two kernels whose instructions are in the scenario file. On
 * every core, one of the kernels passes pages to the other. */
static void draw_kernels(struct drawing *drawing, uint32_t depth, uint32_t number, uint32_t queue)
{
	uint32_t pages = 1 + draw_below(drawing, 8);
	struct text cores = {0}, more = {0};

	draw_own_cores(drawing, draw_sub_device(drawing), true, &cores);
	draw_line(drawing, depth,
		"- enqueue_workload: {program: k%" PRIu32 "%s, queue: %" PRIu32
		", circular_buffers: 1, circular_buffer_pages: %" PRIu32
		", circular_buffer_bytes: %" PRIu32 ", semaphores: 1, kernels: [",
		number, text_string(&cores), queue, 1 + draw_below(drawing, 3),
		16 * (1 + draw_below(drawing, 64)));
	text_fini(&cores);
	/* sometimes as many arguments as a kernel may have */
	for (uint32_t i = draw_chance(drawing, 8) ? BOUND_ARGUMENTS : 2; i > 2; i--)
		text_printf(&more, ", %" PRIu32, i % 10);
	draw_line(drawing, depth + 2,
		"{processor: ncrisc, arguments: [core, %" PRIu32 "%s], text: \"argument r1, 0\\n"
		"argument r2, 1\\nbusy r1 + 1\\n%sagain: reserve 0, 1\\npush 0, 1\\nsubtract r2, "
		"r2, "
		"1\\n"
		"jump_unequal r2, r0, again\\nuntil_least r2, semaphore 0\"},",
		pages, text_string(&more), draw_chance(drawing, 2) ? "print r1, 1\\n" : "");
	text_fini(&more);
	draw_line(drawing, depth + 2,
		"{processor: %s, text: \"again: await 0, 1\\nbusy %" PRIu32
		"\\npop 0, 1\\nadd r1, r1, r0 + 1\\nadd r2, r0, %" PRIu32
		"\\njump_below r1, r2, again\\nraise r1, semaphore 0\"}]}",
		DRAW_WORD(drawing, "brisc", "trisc0", "trisc2"), draw_below(drawing, 500), pages);
}

/* The page size in bytes and the number of pages of each port's buffer. */
struct shape {
	uint32_t page[LIBRARY_PORTS_MAX], pages[LIBRARY_PORTS_MAX];
};

/* Draws the sizes of two buffers for the same matrix, one in rows and one in tiles. The tiles at
 * the right and bottom edges may be only partly filled. */
static void draw_matrix(
	struct drawing *drawing, bool to_tiles, uint32_t element_bytes, struct shape *shape)
{
	uint32_t rows = 1 + draw_below(drawing, 80), columns = 16 * (1 + draw_below(drawing, 7));
	uint32_t down = (rows + TILE_SIDE - 1) / TILE_SIDE;
	uint32_t along = (columns + TILE_SIDE - 1) / TILE_SIDE;
	int in_rows = to_tiles ? 0 : 1;

	shape->page[in_rows] = columns * element_bytes;
	shape->pages[in_rows] = rows;
	shape->page[1 - in_rows] = TILE_SIDE * TILE_SIDE * element_bytes;
	shape->pages[1 - in_rows] = down * along;
}

/* Draws the buffers of a convolution: pixels of whole 32 B, and the tiles that follow from them. */
static void draw_image(
	struct drawing *drawing, uint32_t element_bytes, struct text *keys, struct shape *shape)
{
	uint32_t size[2], kernel[2], stride[2], padding[2], dilation[2], out[2], inner;
	uint32_t groups = draw_chance(drawing, 3) ? 1 + draw_below(drawing, 3) : 1;
	uint32_t wide = groups * (1 + draw_below(drawing, 2)),
		 part = TILE_SIDE * (1 + draw_below(drawing, 4));

	for (int i = 0; i < 2; i++) {
		uint32_t reach;

		kernel[i] = 1 + draw_below(drawing, 3);
		stride[i] = 1 + draw_below(drawing, 2);
		dilation[i] = 1 + draw_below(drawing, 2);
		reach = (kernel[i] - 1) * dilation[i] + 1;
		padding[i] = draw_below(drawing, reach);
		size[i] = reach + draw_below(drawing, 12);
		out[i] = (size[i] + 2 * padding[i] - reach) / stride[i] + 1;
	}
	text_printf(keys,
		", image: {size: [%" PRIu32 ", %" PRIu32 "], kernel: [%" PRIu32 ", %" PRIu32
		"], stride: [%" PRIu32 ", %" PRIu32 "], padding: [%" PRIu32 ", %" PRIu32
		"], dilation: [%" PRIu32 ", %" PRIu32 "], groups: %" PRIu32 "}",
		size[0], size[1], kernel[0], kernel[1], stride[0], stride[1], padding[0],
		padding[1], dilation[0], dilation[1], groups);
	inner = (kernel[0] * kernel[1] * part / element_bytes - 1) / TILE_SIDE + 1;
	for (int i = 0; i < 4; i++)
		shape->page[i] = TILE_SIDE * TILE_SIDE * element_bytes;
	shape->page[0] = groups * part;
	shape->pages[0] = size[0] * size[1];
	shape->pages[1] = inner * wide;
	shape->pages[2] = wide;
	shape->pages[3] = ((out[0] * out[1] - 1) / TILE_SIDE + 1) * wide;
}

/* Draws the buffers of a program on tiles. The program's row gives the extents of the buffers. */
static void draw_tiles(struct drawing *drawing, const struct library_row *row,
	uint32_t element_bytes, struct text *keys, struct shape *shape)
{
	uint32_t of[128] = {['1'] = 1,
		['r'] = 1 + draw_below(drawing, 4),
		['c'] = 1 + draw_below(drawing, 4),
		['k'] = 1 + draw_below(drawing, 4),
		['h'] = 1 + draw_below(drawing, 2)};

	if (strcmp(row->name, "rotary") == 0)
		of['c'] = 2 * (1 + draw_below(drawing, 2));
	if (strcmp(row->name, "attention_causal") == 0 && of['r'] > of['k'])
		of['r'] = of['k'];
	of['s'] = of['c'] + of['k'];
	of['t'] = of['r'] + of['k'];
	if (row->parameters & LIBRARY_SLICE) {
		of['y'] = 1 + draw_below(drawing, of['r']);
		of['x'] = 1 + draw_below(drawing, of['c']);
		text_printf(keys, ", slice: [%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "]",
			draw_below(drawing, of['r'] - of['y'] + 1),
			draw_below(drawing, of['c'] - of['x'] + 1), of['y'], of['x']);
	}
	for (uint32_t i = 0; i < row->port_count; i++) {
		shape->page[i] = TILE_SIDE * TILE_SIDE * element_bytes;
		shape->pages[i] = 1;
		for (const char *at = row->shapes[i]; *at != '\0'; at++)
			shape->pages[i] *= of[(unsigned char)*at];
	}
	if (row->parameters & LIBRARY_INNER)
		text_printf(keys, ", tiles: [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", of['r'],
			of['c'], of['k']);
	else if (row->parameters & LIBRARY_TILES)
		text_printf(keys, ", tiles: [%" PRIu32 ", %" PRIu32 "]", of['r'], of['c']);
}

/* Draws shapes that the library program accepts, and all its other parameters. */
static void draw_library_draw_shape(struct drawing *drawing, const struct library_row *row,
	struct text *keys, struct shape *shape)
{
	bool wide = draw_chance(drawing, 2);

	if (!(row->parameters & LIBRARY_ELEMENT)) {
		shape->page[0] = shape->page[1] = 16 * (1 + draw_below(drawing, 128));
		shape->pages[0] = shape->pages[1] = draw_magnitude(drawing, 6);
		return;
	}
	text_printf(keys, ", element: %s", wide ? "f32" : "bf16");
	if (strstr(row->name, "tilize") != NULL)
		draw_matrix(drawing, strcmp(row->name, "tilize") == 0, wide ? 4 : 2, shape);
	else if (row->parameters & LIBRARY_IMAGE)
		draw_image(drawing, wide ? 4 : 2, keys, shape);
	else
		draw_tiles(drawing, row, wide ? 4 : 2, keys, shape);
}

static const struct library_row *draw_library_draw_row(struct drawing *drawing)
{
	uint32_t count = 0;

	while (library_row(count) != NULL)
		count++;
	return library_row(draw_below(drawing, count));
}

/* Draws the steps of a library program: writes its buffers, runs it, and reads its results. */
static void draw_of_library(
	struct drawing *drawing, uint32_t depth, uint32_t number, uint32_t queue)
{
	const struct library_row *row = draw_library_draw_row(drawing);
	const struct sub_device_keys *of = draw_sub_device(drawing);
	struct text keys = {0}, buffers = {0};
	struct shape shape = {{0}, {0}};

	draw_library_draw_shape(drawing, row, &keys, &shape);
	for (uint32_t i = 0; i < row->port_count; i++) {
		const char *port = row->ports[i].name;

		draw_own(drawing, depth, port, shape.page[i], shape.pages[i], queue, of);
		text_printf(&buffers, "%s%s: %s%" PRIu32, i > 0 ? ", " : "", port, port, number);
	}
	draw_own_cores(drawing, of,
		strcmp(row->name, "matmul_grid") != 0 && strcmp(row->name, "matmul_line") != 0,
		&keys);
	if (drawing->mesh->devices > 1 && draw_chance(drawing, 3))
		draw_devices(drawing, &keys);
	draw_line(drawing, depth,
		"- enqueue_workload: {program: p%" PRIu32
		", library: %s, buffers: {%s}%s, queue: %" PRIu32 ", blocking: %s}",
		number, row->name, text_string(&buffers), text_string(&keys), queue,
		draw_chance(drawing, 3) ? "true" : "false");
	for (uint32_t i = 0; i < row->port_count; i++)
		if (row->ports[i].written)
			draw_line(drawing, depth,
				"- read_buffer: {buffer: %s%" PRIu32 ", queue: %" PRIu32 "}",
				row->ports[i].name, number, queue);
	if (depth == 1 && draw_chance(drawing, 3)) {
		draw_line(drawing, depth, "- finish");
		for (uint32_t i = 0; i < row->port_count; i++)
			draw_line(drawing, depth, "- free_buffer: {buffer: %s%" PRIu32 "}",
				row->ports[i].name, number);
	}
	text_fini(&keys);
	text_fini(&buffers);
}

void draw_library(struct drawing *drawing, uint32_t depth)
{
	uint32_t queue = draw_below(drawing, drawing->queues);

	if (drawing->elides) {
		draw_program(drawing, depth, false);
		return;
	}
	if (draw_chance(drawing, 3))
		draw_kernels(drawing, depth, ++drawing->programs, queue);
	else
		draw_of_library(drawing, depth, ++drawing->programs, queue);
}
