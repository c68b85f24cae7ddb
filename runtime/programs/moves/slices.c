/* Programs that move whole tiles: slices of a matrix, and concatenation by rows. They do not
 * compute with the tiles, so the bytes of a tile do not change. NCRISC reads the tiles of the
 * result one by one, BRISC writes them, and a circular buffer of two tiles connects the two
 * processors. */
#include <string.h>

#include "base/refuse.h"
#include "parts.h"

/* Registers of the reader. They come after the registers of its walk. */
enum { PLACE = WALK_FREE, LOCAL = WALK_FREE + 2, PAGE, COLUMN, LIMIT };

/* Indices in library_use.slice. */
enum { FIRST_ROW, FIRST_COLUMN, ROWS, COLUMNS };

/* Appends code that sets PLACE to the place of page PAGE of a port. */
static void place_in(struct parts *parts, uint32_t port, const char *name)
{
	uint32_t description = parts_port(parts, port, name);

	kernel_text_add(&parts->text, KERNEL_PAGE, PLACE, PAGE, 0, description);
}

/* Appends code that finds the source of tile n of a slice, which is in row n / columns and column n
 * % columns of the slice. */
static void slice_place(struct parts *parts)
{
	const struct library_use *use = parts->use;
	struct kernel_text *text = &parts->text;

	kernel_text_add(text, KERNEL_DIVIDE, PAGE, WALK_NUMBER, 0, use->slice[COLUMNS]);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, use->slice[FIRST_ROW]);
	kernel_text_add(text, KERNEL_MULTIPLY, PAGE, PAGE, 0, use->tiles[1]);
	kernel_text_add(text, KERNEL_REMAINDER, COLUMN, WALK_NUMBER, 0, use->slice[COLUMNS]);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, COLUMN, use->slice[FIRST_COLUMN]);
	place_in(parts, 0, "from");
}

/* Appends code that finds the source of tile WALK_NUMBER of the result. The result has all tiles of
 * the first matrix, then all tiles of the second. */
static void concat_rows_place(struct parts *parts)
{
	uint32_t first = parts->use->tiles[0] * parts->use->tiles[1];
	struct kernel_text *text = &parts->text;
	uint32_t second = kernel_text_label(text), placed = kernel_text_label(text);

	kernel_text_set(text, LIMIT, first);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, WALK_NUMBER, LIMIT, second);
	kernel_text_add(text, KERNEL_ADD, PAGE, WALK_NUMBER, 0, 0);
	place_in(parts, 0, "left");
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, placed);
	kernel_text_place(text, second);
	kernel_text_add(text, KERNEL_SUBTRACT, PAGE, WALK_NUMBER, LIMIT, 0);
	place_in(parts, 1, "right");
	kernel_text_place(text, placed);
}

/* Builds a program that moves `tiles` tiles to port `to`. `place` appends the code that finds the
 * source of a tile. */
static enum status moves_build(struct program *program, const struct library_use *use,
	void (*place)(struct parts *parts), uint32_t to, uint64_t tiles, struct text *why)
{
	struct parts parts;
	struct kernel_text *text;

	parts_init(&parts, program, use, why);
	text = parts_begin(&parts, PROCESSOR_NCRISC);
	parts_walk(&parts, (uint32_t)tiles);
	place(&parts);
	kernel_text_add(text, KERNEL_RESERVE, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, LOCAL, 0, 0, 0);
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, parts_tile_bytes(use));
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, 0, 0, 0, 1);
	parts_walk_end(&parts);
	parts_end(&parts);
	parts_writer(&parts, 0, to, "to", (uint32_t)tiles);
	parts_circular_buffer(&parts, PARTS_BUFFERED, parts_tile_bytes(use));
	return parts.status;
}

/* ---- slice ---- */

static enum status slice_check(const struct library_use *use, struct text *why)
{
	const uint32_t *slice = use->slice;
	enum status status =
		parts_check_tiles(use, 0, "from", (uint64_t)use->tiles[0] * use->tiles[1], why);

	if (status != STATUS_OK)
		return status;
	if (slice[ROWS] > 0 && slice[COLUMNS] > 0 &&
		(uint64_t)slice[FIRST_ROW] + slice[ROWS] <= use->tiles[0] &&
		(uint64_t)slice[FIRST_COLUMN] + slice[COLUMNS] <= use->tiles[1])
		return parts_check_tiles(use, 1, "to", (uint64_t)slice[ROWS] * slice[COLUMNS], why);
	library_refuses(use, LIBRARY_OF_SLICE, 0);
	return refuse(why, STATUS_INVALID,
		"a slice of %u x %u tiles from row %u, column %u is not in %u x %u", slice[ROWS],
		slice[COLUMNS], slice[FIRST_ROW], slice[FIRST_COLUMN], use->tiles[0],
		use->tiles[1]);
}

static enum status slice_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	enum status status = slice_check(use, why);

	if (status != STATUS_OK)
		return status;
	return moves_build(program, use, slice_place, 1,
		(uint64_t)use->slice[ROWS] * use->slice[COLUMNS], why);
}

static void slice_reference(const struct library_use *use, const struct library_values *values)
{
	uint64_t bytes = parts_tile_bytes(use), line = use->slice[COLUMNS] * bytes;

	for (uint64_t row = 0; row < use->slice[ROWS]; row++)
		memcpy(values->ports[1] + row * line,
			values->ports[0] + ((use->slice[FIRST_ROW] + row) * use->tiles[1] +
						   use->slice[FIRST_COLUMN]) *
						   bytes,
			line);
}

/* ---- concatenation by rows ---- */

static enum status concat_rows_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	uint64_t first = (uint64_t)use->tiles[0] * use->tiles[1];
	uint64_t second = (uint64_t)use->tiles[2] * use->tiles[1];
	enum status status = parts_check_tiles(use, 0, "left", first, why);

	if (status == STATUS_OK)
		status = parts_check_tiles(use, 1, "right", second, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, 2, "to", first + second, why);
	if (status != STATUS_OK)
		return status;
	return moves_build(program, use, concat_rows_place, 2, first + second, why);
}

static void concat_rows_reference(
	const struct library_use *use, const struct library_values *values)
{
	uint64_t line = (uint64_t)use->tiles[1] * parts_tile_bytes(use);

	memcpy(values->ports[2], values->ports[0], use->tiles[0] * line);
	memcpy(values->ports[2] + use->tiles[0] * line, values->ports[1], use->tiles[2] * line);
}

/* ---- entries of the library ---- */

const struct library_row library_slice = {
	.name = "slice",
	.what = "takes a rectangle of tiles out of a matrix: `slice` has its first row and column, "
		"then its rows and columns",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_SLICE,
	.port_count = 2,
	.ports = {{"from", "rows x columns tiles, row by row", false},
		{"to", "the tiles of the slice, row by row", true}},
	.shapes = {"rc", "yx"},
	.build = slice_build,
	.reference = slice_reference,
};

const struct library_row library_concat_rows = {
	.name = "concat_rows",
	.what = "puts the rows of a second matrix below those of the first; `inner` is its height",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,
	.port_count = 3,
	.ports = {{"left", "rows x columns tiles, row by row", false},
		{"right", "inner x columns tiles, row by row", false},
		{"to", "(rows + inner) x columns tiles, row by row", true}},
	.shapes = {"rc", "kc", "tc"},
	.build = concat_rows_build,
	.reference = concat_rows_reference,
};
