/* Programs that split row-major matrices into tiles (tilize), and that assemble tiles into rows
 * again (untilize). Each page of one buffer is a row of the matrix; each page of the other is a
 * tile, in row-major order. Cores process pieces that are 32 rows high and up to four tiles wide.
 * NCRISC reads, TRISC0 unpacks, TRISC1 copies, TRISC2 packs, and BRISC writes. In tilize, the
 * unpacker also splits the rows into tiles; in untilize, the packer assembles the tiles into rows.
 * The matrix may have any size: tilize pads the tiles at the right and bottom edges with zeros, and
 * untilize removes the padding. The page size of the row buffer must be a multiple of the element
 * size; otherwise building fails.
 *
 * Values pass through the destination registers, so every NaN becomes the NaN of
 * compute_store(). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "layout/data/convert.h"
#include "parts.h"
#include "programs/reference/reference.h"

/* Numbers of the ports, which are also the numbers of the circular buffers. */
enum { FROM, TO };

enum { SIDE = KERNEL_TILE_SIDE, PIECE = 4 /* PIECE is the maximum width of a piece in tiles */ };

/* Registers. The instructions on rows use ROWS and COLUMNS. */
enum {
	TOP = WALK_FREE, /* first row and first element of the piece */
	LEFT,
	ROWS, /* number of rows in the piece, and of elements in each row */
	COLUMNS,
	TILES, /* width of the piece in tiles */
	TILE,
	ROW,
	LIMIT,
	PAGE,
	PLACE,
	LOCAL = PLACE + 2,
	LENGTH
};

/* The extents of the matrix, in elements, tiles and pieces. */
struct shape {
	uint32_t rows, columns;
	uint32_t high, wide;	/* height and width in tiles */
	uint32_t width;		/* width of a piece in tiles; the last piece in a row of pieces may
				 * be narrower */
	uint32_t across, count; /* number of pieces in a row, and in total */
	uint32_t element;	/* bytes of an element */
	bool cuts;		/* true: splits rows into tiles; false: assembles tiles into rows */
};

static struct shape shape_of(const struct library_use *use, bool cuts)
{
	const struct placement *lines = use->buffers[cuts ? FROM : TO].placement;
	struct shape shape = {
		.rows = lines->page_count, .element = element_bytes(use->element), .cuts = cuts};

	shape.columns = lines->config.page_bytes / shape.element;
	shape.high = (shape.rows + SIDE - 1) / SIDE;
	shape.wide = (shape.columns + SIDE - 1) / SIDE;
	shape.width = shape.wide < PIECE ? shape.wide : PIECE;
	shape.across = (shape.wide + PIECE - 1) / PIECE;
	shape.count = shape.high * shape.across;
	return shape;
}

static uint32_t piece_bytes(const struct shape *shape)
{
	return shape->width * SIDE * shape->element;
}

/* ---- kernels ---- */

/* Appends code that sets register `to` to min(extent - from, most). `from` is a register. */
static void remainder_of(
	struct kernel_text *text, uint8_t to, uint32_t extent, uint8_t from, uint32_t most)
{
	uint32_t fits = kernel_text_label(text);

	kernel_text_set(text, LIMIT, extent);
	kernel_text_add(text, KERNEL_SUBTRACT, to, LIMIT, from, 0);
	kernel_text_set(text, LIMIT, most);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, to, LIMIT, fits);
	kernel_text_set(text, to, most);
	kernel_text_place(text, fits);
}

/* Begins the text of a processor's kernel, and in it the walk over pieces. */
static struct kernel_text *tilize_walk(
	struct parts *parts, const struct shape *shape, enum processor processor)
{
	struct kernel_text *text = parts_begin(parts, processor);

	parts_walk(parts, shape->count);
	kernel_text_add(text, KERNEL_DIVIDE, TOP, WALK_NUMBER, 0, shape->across);
	kernel_text_add(text, KERNEL_MULTIPLY, TOP, TOP, 0, SIDE);
	kernel_text_add(text, KERNEL_REMAINDER, LEFT, WALK_NUMBER, 0, shape->across);
	kernel_text_add(text, KERNEL_MULTIPLY, LEFT, LEFT, 0, PIECE * SIDE);
	remainder_of(text, ROWS, shape->rows, TOP, SIDE);
	remainder_of(text, COLUMNS, shape->columns, LEFT, PIECE * SIDE);
	kernel_text_add(text, KERNEL_ADD, TILES, COLUMNS, 0, SIDE - 1);
	kernel_text_add(text, KERNEL_DIVIDE, TILES, TILES, 0, SIDE);
	return text;
}

static void walk_end(struct parts *parts)
{
	parts_walk_end(parts);
	parts_end(parts);
}

static uint32_t each_begin(struct kernel_text *text, uint8_t counter)
{
	kernel_text_set(text, counter, 0);
	return kernel_text_here(text);
}

/* Appends code that copies the rows of a piece, with one transfer for each row. Tilize copies from
 * the pages of the row buffer, untilize to these pages. */
static void move_rows(struct parts *parts, const struct shape *shape, uint32_t description)
{
	struct kernel_text *text = &parts->text;
	bool reads = shape->cuts;
	uint8_t buffer = reads ? FROM : TO;
	uint32_t again;

	kernel_text_add(text, reads ? KERNEL_RESERVE : KERNEL_AWAIT, buffer, 0, 0, SIDE);
	kernel_text_add(text, reads ? KERNEL_BACK : KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_add(text, KERNEL_MULTIPLY, LENGTH, COLUMNS, 0, shape->element);
	kernel_text_add(text, KERNEL_MULTIPLY, LEFT, LEFT, 0, shape->element);
	again = each_begin(text, ROW);
	kernel_text_add(text, KERNEL_ADD, PAGE, TOP, ROW, 0);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, KERNEL_ADD, PLACE + 1, PLACE + 1, LEFT, 0);
	kernel_text_add(text, reads ? KERNEL_READ : KERNEL_WRITE, LOCAL, PLACE, LENGTH, 0);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, piece_bytes(shape));
	loop_end(text, ROW, ROWS, again);
	kernel_text_add(text, reads ? KERNEL_WAIT_READS : KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_PUSH : KERNEL_POP, buffer, 0, 0, SIDE);
}

/* Appends code that transfers the tiles of a piece from or to their pages. */
static void move_tiles(struct parts *parts, const struct shape *shape, uint32_t description)
{
	struct kernel_text *text = &parts->text;
	bool reads = !shape->cuts;
	uint8_t buffer = reads ? FROM : TO;
	uint32_t bytes = parts_tile_bytes(parts->use), again;

	kernel_text_add(text, KERNEL_DIVIDE, PAGE, TOP, 0, SIDE);
	kernel_text_add(text, KERNEL_MULTIPLY, PAGE, PAGE, 0, shape->wide);
	kernel_text_add(text, KERNEL_DIVIDE, LEFT, LEFT, 0, SIDE);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, LEFT, 0);
	again = each_begin(text, TILE);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, reads ? KERNEL_RESERVE : KERNEL_AWAIT, buffer, 0, 0, 1);
	kernel_text_add(text, reads ? KERNEL_BACK : KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_add(text, reads ? KERNEL_READ : KERNEL_WRITE, LOCAL, PLACE, 0, bytes);
	kernel_text_add(text, reads ? KERNEL_WAIT_READS : KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_PUSH : KERNEL_POP, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	loop_end(text, TILE, TILES, again);
}

static void tilize_add_mover(struct parts *parts, const struct shape *shape, bool reads)
{
	uint32_t description;

	tilize_walk(parts, shape, reads ? PROCESSOR_NCRISC : PROCESSOR_BRISC);
	description = parts_port(parts, reads ? FROM : TO, reads ? "from" : "to");
	if (reads == shape->cuts)
		move_rows(parts, shape, description);
	else
		move_tiles(parts, shape, description);
	walk_end(parts);
}

static void tilize_add_unpacker(struct parts *parts, const struct shape *shape)
{
	struct kernel_text *text = tilize_walk(parts, shape, PROCESSOR_TRISC0);
	enum kernel_element element = parts_element(parts->use);
	uint32_t again;

	if (shape->cuts)
		kernel_text_add(text, KERNEL_AWAIT, FROM, 0, 0, SIDE);
	again = each_begin(text, TILE);
	if (shape->cuts) {
		kernel_text_add(text, KERNEL_TILE_UNPACK_ROWS, FROM, ROWS, TILE, element);
	} else {
		kernel_text_add(text, KERNEL_AWAIT, FROM, 0, 0, 1);
		kernel_text_add(text, KERNEL_TILE_UNPACK, FROM, KERNEL_LEFT, 0, element);
		kernel_text_add(text, KERNEL_POP, FROM, 0, 0, 1);
	}
	loop_end(text, TILE, TILES, again);
	if (shape->cuts)
		kernel_text_add(text, KERNEL_POP, FROM, 0, 0, SIDE);
	walk_end(parts);
}

static void tilize_add_math(struct parts *parts, const struct shape *shape)
{
	struct kernel_text *text = tilize_walk(parts, shape, PROCESSOR_TRISC1);
	uint32_t again = each_begin(text, TILE);

	kernel_text_add(text, KERNEL_TILE_ACQUIRE,
		(uint8_t)parts_kernel_element(parts_registers(parts->use)), 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_COPY, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	loop_end(text, TILE, TILES, again);
	walk_end(parts);
}

static void tilize_add_packer(struct parts *parts, const struct shape *shape)
{
	struct kernel_text *text = tilize_walk(parts, shape, PROCESSOR_TRISC2);
	uint32_t result = kernel_tile_result(0, parts_element(parts->use)), again;

	if (!shape->cuts)
		kernel_text_add(text, KERNEL_RESERVE, TO, 0, 0, SIDE);
	again = each_begin(text, TILE);
	if (shape->cuts)
		kernel_text_add(text, KERNEL_RESERVE, TO, 0, 0, 1);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	if (shape->cuts)
		kernel_text_add(text, KERNEL_TILE_PACK, TO, 0, 0, result);
	else
		kernel_text_add(text, KERNEL_TILE_PACK_ROWS, TO, ROWS, TILE, result);
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	if (shape->cuts)
		kernel_text_add(text, KERNEL_PUSH, TO, 0, 0, 1);
	loop_end(text, TILE, TILES, again);
	if (!shape->cuts)
		kernel_text_add(text, KERNEL_PUSH, TO, 0, 0, SIDE);
	walk_end(parts);
}

/* ---- programs ---- */

static enum status tilize_check(const struct library_use *use, bool cuts, struct text *why)
{
	uint32_t bytes = use->buffers[cuts ? FROM : TO].placement->config.page_bytes;
	enum status status = parts_check_rows(use, why);
	struct shape shape;

	if (status != STATUS_OK)
		return status;
	if (bytes % element_bytes(use->element) != 0) {
		library_refuses(use, LIBRARY_OF_ELEMENT, cuts ? FROM : TO);
		return refuse(why, STATUS_INVALID, "rows of %u B are no whole elements of %s",
			bytes, element_name(use->element));
	}
	shape = shape_of(use, cuts);
	return parts_check_tiles(use, cuts ? TO : FROM, cuts ? "to" : "from",
		(uint64_t)shape.high * shape.wide, why);
}

static enum status programs_tilize_build(
	struct program *program, const struct library_use *use, bool cuts, struct text *why)
{
	enum status status = tilize_check(use, cuts, why);
	struct shape shape;
	struct parts parts;

	if (status != STATUS_OK)
		return status;
	shape = shape_of(use, cuts);
	parts_init(&parts, program, use, why);
	tilize_add_mover(&parts, &shape, true);
	tilize_add_unpacker(&parts, &shape);
	tilize_add_math(&parts, &shape);
	tilize_add_packer(&parts, &shape);
	tilize_add_mover(&parts, &shape, false);
	for (uint32_t buffer = FROM; buffer <= TO; buffer++) {
		bool lines = cuts == (buffer == FROM);

		parts_circular_buffer(&parts, PARTS_BUFFERED * (lines ? SIDE : 1),
			lines ? piece_bytes(&shape) : parts_tile_bytes(use));
	}
	return parts.status;
}

static void reference(const struct library_use *use, const struct library_values *values, bool cuts)
{
	static const struct tile_shape whole = {SIDE, SIDE};
	struct shape shape = shape_of(use, cuts);
	uint64_t elements = (uint64_t)shape.rows * shape.columns;
	struct matrix in = {
		use->element, shape.rows, shape.columns, allocate(elements, shape.element)};
	struct matrix out = {
		use->element, shape.rows, shape.columns, allocate(elements, shape.element)};

	if (cuts)
		memcpy(in.bytes, values->ports[FROM], elements * shape.element);
	else
		untilize_padded(values->ports[FROM], in.bytes, shape.rows, shape.columns, whole,
			shape.element);
	matrix_copy(&in, use->element, &out);
	if (cuts)
		tilize_padded(out.bytes, values->ports[TO], shape.rows, shape.columns, whole,
			shape.element, 0);
	else
		memcpy(values->ports[TO], out.bytes, elements * shape.element);
	free(in.bytes);
	free(out.bytes);
}

static enum status tilize_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	return programs_tilize_build(program, use, true, why);
}

static void tilize_reference(const struct library_use *use, const struct library_values *values)
{
	reference(use, values, true);
}

static enum status untilize_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	return programs_tilize_build(program, use, false, why);
}

static void untilize_reference(const struct library_use *use, const struct library_values *values)
{
	reference(use, values, false);
}

/* ---- entries of the library ---- */

const struct library_row library_tilize = {
	.name = "tilize",
	.what = "cuts a matrix in rows into tiles, with zeros where it ends",
	.section = "flow 7",
	.parameters = LIBRARY_ELEMENT,
	.port_count = 2,
	.ports = {[FROM] = {"from", "a page for each row of elements", false},
		[TO] = {"to", "a page for each tile", true}},
	.shapes = {NULL, "rc"},
	.build = tilize_build,
	.reference = tilize_reference,
};

const struct library_row library_untilize = {
	.name = "untilize",
	.what = "puts tiles together to a matrix in rows",
	.section = "flow 7",
	.parameters = LIBRARY_ELEMENT,
	.port_count = 2,
	.ports = {[FROM] = {"from", "a page for each tile", false},
		[TO] = {"to", "a page for each row of elements", true}},
	.shapes = {"rc", NULL},
	.build = untilize_build,
	.reference = untilize_reference,
};
