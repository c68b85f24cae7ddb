/* Programs that add and multiply tiled tensors element by element, one tile at a time. NCRISC reads
 * a tile of each operand, TRISC0 unpacks, TRISC1 computes, TRISC2 packs, and BRISC writes. Circular
 * buffers of two pages connect these processors. Core i of n processes tiles i, i + n and so on.
 * Each result is computed from two elements and rounded once, so it does not depend on the number
 * of cores. Buffers that are not split into tiles are an error.
 *
 * The programs add_row and multiply_row broadcast a row: the right buffer has one row of tiles, and
 * the first row of elements in these tiles is applied to every row of the left buffer. */
#include <stdlib.h>

#include "base/allocate.h"
#include "parts.h"
#include "programs/reference/reference.h"

/* Numbers of the ports, which are also the numbers of the circular buffers. */
enum { LEFT, RIGHT, TO };

enum { PLACE = WALK_FREE, LOCAL = WALK_FREE + 2, OTHER, WIDTH };

/* The operation of one of these programs. */
struct binary {
	enum kernel_opcode opcode;
	enum compute_binary op;
	enum kernel_broadcast broadcast; /* KERNEL_EACH or KERNEL_ROW */
};

/* Numbers of tiles, and of tile columns, in the left buffer. Only a broadcast uses the columns. */
struct tiling {
	uint32_t tiles, columns;
};

static struct tiling tiling_of(const struct library_use *use, const struct binary *binary)
{
	uint32_t pages = use->buffers[LEFT].placement->page_count;

	if (binary->broadcast == KERNEL_EACH)
		return (struct tiling){pages, 1};
	return (struct tiling){use->tiles[0] * use->tiles[1], use->tiles[1]};
}

/* ---- kernels ---- */

static void binary_read_tile(struct kernel_text *text, uint8_t buffer, uint8_t page,
	uint32_t description, uint32_t bytes)
{
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	kernel_text_add(text, KERNEL_PAGE, PLACE, page, 0, description);
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, bytes);
}

static void binary_add_reader(
	struct parts *parts, const struct binary *binary, const struct tiling *tiling)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_NCRISC);
	uint32_t left = parts_port(parts, LEFT, "left");
	uint32_t right = parts_port(parts, RIGHT, "right");
	uint32_t bytes = parts_tile_bytes(parts->use);

	kernel_text_set(text, WIDTH, tiling->columns);
	parts_walk(parts, tiling->tiles);
	binary_read_tile(text, LEFT, WALK_NUMBER, left, bytes);
	if (binary->broadcast == KERNEL_ROW)
		kernel_text_add(text, KERNEL_REMAINDER, OTHER, WALK_NUMBER, WIDTH, 0);
	binary_read_tile(
		text, RIGHT, binary->broadcast == KERNEL_ROW ? OTHER : WALK_NUMBER, right, bytes);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, LEFT, 0, 0, 1);
	kernel_text_add(text, KERNEL_PUSH, RIGHT, 0, 0, 1);
	parts_walk_end(parts);
	parts_end(parts);
}

static void binary_add_unpacker(struct parts *parts, uint32_t tiles)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_TRISC0);

	parts_walk(parts, tiles);
	for (uint8_t buffer = LEFT; buffer <= RIGHT; buffer++) {
		kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
		kernel_text_add(text, KERNEL_TILE_UNPACK, buffer,
			buffer == LEFT ? KERNEL_LEFT : KERNEL_RIGHT, 0, parts_element(parts->use));
		kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
	}
	parts_walk_end(parts);
	parts_end(parts);
}

static void binary_add_math(struct parts *parts, const struct binary *binary, uint32_t tiles)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_TRISC1);

	parts_walk(parts, tiles);
	kernel_text_add(text, KERNEL_TILE_ACQUIRE,
		(uint8_t)parts_kernel_element(parts_registers(parts->use)), 0, 0, 0);
	kernel_text_add(text, binary->opcode, 0, (uint8_t)binary->broadcast, 0, 0);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	parts_walk_end(parts);
	parts_end(parts);
}

static enum status binary_check(const struct library_use *use, const struct binary *binary,
	const struct tiling *tiling, struct text *why)
{
	bool row = binary->broadcast == KERNEL_ROW;
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK)
		status = parts_check_tiles(use, LEFT, "left", tiling->tiles, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(
			use, RIGHT, "right", row ? tiling->columns : tiling->tiles, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, TO, "to", tiling->tiles, why);
	return status;
}

static enum status binary_build(struct program *program, const struct library_use *use,
	const struct binary *binary, struct text *why)
{
	struct tiling tiling = tiling_of(use, binary);
	enum status status = binary_check(use, binary, &tiling, why);
	struct parts parts;

	if (status != STATUS_OK)
		return status;
	parts_init(&parts, program, use, why);
	binary_add_reader(&parts, binary, &tiling);
	binary_add_unpacker(&parts, tiling.tiles);
	binary_add_math(&parts, binary, tiling.tiles);
	parts_packer(&parts, TO, tiling.tiles);
	parts_writer(&parts, TO, TO, "to", tiling.tiles);
	for (uint32_t buffer = LEFT; buffer <= TO; buffer++)
		parts_circular_buffer(&parts, PARTS_BUFFERED, parts_tile_bytes(use));
	return parts.status;
}

/* ---- expected results ---- */

/* Computes the expected result. Without a broadcast, the position of a tile in the matrix does not
 * matter, so all tiles are treated as one column. */
static void binary_reference(const struct library_use *use, const struct library_values *values,
	const struct binary *binary)
{
	struct tiling tiling = tiling_of(use, binary);
	uint64_t wide = tiling.columns, high = tiling.tiles / wide, side = KERNEL_TILE_SIDE;
	bool row = binary->broadcast == KERNEL_ROW;
	uint64_t right_high = row ? 1 : high;
	struct matrix left = {parts_registers(use), high * side, wide * side,
		parts_rows_new(use, values->ports[LEFT], high, wide)};
	struct matrix right = {parts_registers(use), row ? 1 : high * side, wide * side,
		parts_rows_new(use, values->ports[RIGHT], right_high, wide)};
	struct matrix out = {parts_registers(use), high * side, wide * side,
		allocate(tiling.tiles, COMPUTE_ELEMENTS * element_bytes(parts_registers(use)))};

	matrix_binary(binary->op, &left, &right, row ? COMPUTE_ROW : COMPUTE_EACH,
		parts_registers(use), &out);
	parts_rows_put(use, out.bytes, high, wide, values->ports[TO]);
	free(left.bytes);
	free(right.bytes);
}

/* ---- rows ---- */

#define BINARY(row, code, operation, spread, parameters_too, sentence, of_right, right_shape)      \
	static const struct binary row##_binary = {(code), (operation), (spread)};                 \
                                                                                                   \
	static enum status row##_build(                                                            \
		struct program *program, const struct library_use *use, struct text *why)          \
	{                                                                                          \
		return binary_build(program, use, &row##_binary, why);                             \
	}                                                                                          \
                                                                                                   \
	static void row##_reference(                                                               \
		const struct library_use *use, const struct library_values *values)                \
	{                                                                                          \
		binary_reference(use, values, &row##_binary);                                      \
	}                                                                                          \
                                                                                                   \
	const struct library_row library_##row = {                                                 \
		.name = #row,                                                                      \
		.what = (sentence),                                                                \
		.section = "3.7, flow 7",                                                          \
		.parameters = LIBRARY_ELEMENT | (parameters_too),                                  \
		.port_count = 3,                                                                   \
		.ports = {[LEFT] = {"left", "tiles", false},                                       \
			[RIGHT] = {"right", (of_right), false},                                    \
			[TO] = {"to", "as many tiles as left", true}},                             \
		.shapes = {"rc", (right_shape), "rc"},                                             \
		.build = row##_build,                                                              \
		.reference = row##_reference,                                                      \
	};

BINARY(add, KERNEL_TILE_ADD, COMPUTE_ADD, KERNEL_EACH, 0, "adds two tensors, tile by tile",
	"as many tiles", "rc")
BINARY(multiply, KERNEL_TILE_MULTIPLY, COMPUTE_MULTIPLY, KERNEL_EACH, 0,
	"multiplies two tensors, element by element", "as many tiles", "rc")
BINARY(add_row, KERNEL_TILE_ADD, COMPUTE_ADD, KERNEL_ROW, LIBRARY_TILES,
	"adds one row to every row of a matrix", "a row of tiles: its first row of elements", "1c")
BINARY(multiply_row, KERNEL_TILE_MULTIPLY, COMPUTE_MULTIPLY, KERNEL_ROW, LIBRARY_TILES,
	"multiplies every row of a matrix with one row, element by element",
	"a row of tiles: its first row of elements", "1c")
