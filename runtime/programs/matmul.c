/* The program that multiplies two tiled matrices. Each tile of the result is computed by one core.
 * For each tile, NCRISC reads a row of tiles of the left matrix and a column of tiles of the right
 * matrix. TRISC0 unpacks, TRISC1 multiplies, TRISC2 packs, and BRISC writes. Core i of n computes
 * tiles i, i + n and so on, row by row. Buffers that are not split into tiles are an error.
 *
 * The order of additions is fixed: each sum accumulates tile by tile along the inner dimension, in
 * one destination register of the element type (compute_matmul()). So the result has the same bytes
 * for any number of cores. */
#include "parts.h"

enum { INNER = WALK_FREE, INNERS, PLACE, LOCAL = PLACE + 2, COLUMNS, LEFT_PAGE, RIGHT_PAGE };

static uint32_t results(const struct library_use *use)
{
	return use->tiles[PRODUCT_ROWS] * use->tiles[PRODUCT_COLUMNS];
}

/* Appends code that reads one tile of each matrix, and then advances both page numbers along the
 * inner dimension. */
static void read_both(struct kernel_text *text, const uint32_t descriptions[2], uint32_t bytes)
{
	static const uint8_t pages[] = {LEFT_PAGE, RIGHT_PAGE};

	for (uint8_t buffer = PRODUCT_LEFT; buffer <= PRODUCT_RIGHT; buffer++) {
		kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
		kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
		kernel_text_add(text, KERNEL_PAGE, PLACE, pages[buffer], 0, descriptions[buffer]);
		kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, bytes);
	}
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, PRODUCT_LEFT, 0, 0, 1);
	kernel_text_add(text, KERNEL_PUSH, PRODUCT_RIGHT, 0, 0, 1);
	kernel_text_add(text, KERNEL_ADD, LEFT_PAGE, LEFT_PAGE, 0, 1);
	kernel_text_add(text, KERNEL_ADD, RIGHT_PAGE, RIGHT_PAGE, COLUMNS, 0);
}

static void matmul_add_reader(struct parts *parts)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_NCRISC);
	const uint32_t *tiles = parts->use->tiles;
	uint32_t descriptions[] = {
		parts_port(parts, PRODUCT_LEFT, "left"), parts_port(parts, PRODUCT_RIGHT, "right")};
	uint32_t again;

	kernel_text_set(text, COLUMNS, tiles[PRODUCT_COLUMNS]);
	parts_walk(parts, results(parts->use));
	kernel_text_add(text, KERNEL_DIVIDE, LEFT_PAGE, WALK_NUMBER, COLUMNS, 0);
	kernel_text_add(text, KERNEL_MULTIPLY, LEFT_PAGE, LEFT_PAGE, 0, tiles[PRODUCT_INNER]);
	kernel_text_add(text, KERNEL_REMAINDER, RIGHT_PAGE, WALK_NUMBER, COLUMNS, 0);
	again = loop_begin(text, INNER, INNERS, tiles[PRODUCT_INNER]);
	read_both(text, descriptions, parts_tile_bytes(parts->use));
	loop_end(text, INNER, INNERS, again);
	parts_walk_end(parts);
	parts_end(parts);
}

static void matmul_add_unpacker(struct parts *parts)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_TRISC0);
	enum kernel_element element = parts_element(parts->use);
	uint32_t again;

	parts_walk(parts, results(parts->use));
	again = loop_begin(text, INNER, INNERS, parts->use->tiles[PRODUCT_INNER]);
	for (uint8_t buffer = PRODUCT_LEFT; buffer <= PRODUCT_RIGHT; buffer++) {
		kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
		kernel_text_add(text, KERNEL_TILE_UNPACK, buffer,
			buffer == PRODUCT_LEFT ? KERNEL_LEFT : KERNEL_RIGHT, 0, element);
		kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
	}
	loop_end(text, INNER, INNERS, again);
	parts_walk_end(parts);
	parts_end(parts);
}

static void matmul_add_math(struct parts *parts)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_TRISC1);
	uint32_t again;

	parts_walk(parts, results(parts->use));
	kernel_text_add(text, KERNEL_TILE_ACQUIRE,
		(uint8_t)parts_kernel_element(parts_registers(parts->use)), 0, 0, 0);
	again = loop_begin(text, INNER, INNERS, parts->use->tiles[PRODUCT_INNER]);
	kernel_text_add(text, KERNEL_TILE_MATMUL, 0, 0, 0, 0);
	loop_end(text, INNER, INNERS, again);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	parts_walk_end(parts);
	parts_end(parts);
}

static enum status matmul_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	enum status status = product_check(use, why);
	struct parts parts;

	if (status != STATUS_OK)
		return status;
	parts_init(&parts, program, use, why);
	matmul_add_reader(&parts);
	matmul_add_unpacker(&parts);
	matmul_add_math(&parts);
	parts_packer(&parts, PRODUCT_TO, results(use));
	parts_writer(&parts, PRODUCT_TO, PRODUCT_TO, "to", results(use));
	for (uint32_t buffer = PRODUCT_LEFT; buffer <= PRODUCT_TO; buffer++)
		parts_circular_buffer(&parts, PARTS_BUFFERED, parts_tile_bytes(use));
	return parts.status;
}

PRODUCT_ROW(matmul,
	"multiplies two matrices: each tile of the result is one core's, which reads all that it "
	"takes",
	PRODUCT_OF_ONE, "", matmul_build, product_reference)
