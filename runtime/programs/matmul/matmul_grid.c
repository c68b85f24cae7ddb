/* The programs that multiply two tiled matrices on a rectangle of cores (spec 3.4.2, as in
 * tt-metal). In matmul_grid, cores of the first column read the left matrix and multicast it along
 * their row. Cores of the first row read the right matrix and multicast it down their column. So
 * each tile is read from DRAM only once in a round. A core computes blocks of up to 2x2 tiles of
 * the result, in as many rounds as needed. NCRISC handles the left matrix, and BRISC the right
 * matrix and the result; TRISC0 unpacks, TRISC1 multiplies, and TRISC2 packs. It is an error if the
 * cores are not a rectangle.
 *
 * In matmul_line, the cores form a line, row by row, along the longer side of the result. The first
 * core reads the matrix that all cores need, and multicasts it to the other cores. Each core reads
 * its own part of the other matrix. So all cores have work even if the result is only one block
 * high or wide.
 *
 * In each step of a round, a receiver increments the sender's semaphore when it has room. When all
 * receivers have incremented it, the sender multicasts the data, and then the number of the step.
 * Cores at the edges that have no tiles in a round still receive and compute, but their results are
 * discarded.
 *
 * The order of additions is fixed: each sum accumulates tile by tile along the inner dimension, in
 * one destination register of the element type (compute_matmul()). So the result has the same bytes
 * for every grid. */
#include "base/refuse.h"
#include "matmul_place.h"

/* ---- rounds and steps ---- */

struct rounds {
	uint32_t high, wide, inner;
};

/* Appends the loops: for (HIGH = 0; ...; HIGH += grid) for (WIDE = 0; ...; WIDE += grid) { */
static struct rounds rounds_begin(struct kernel_text *text, const struct library_use *use)
{
	struct rounds rounds;

	kernel_text_set(text, HIGHS, use->tiles[PRODUCT_ROWS]);
	kernel_text_set(text, WIDES, use->tiles[PRODUCT_COLUMNS]);
	kernel_text_set(text, HIGH, 0);
	rounds.high = kernel_text_here(text);
	kernel_text_set(text, WIDE, 0);
	rounds.wide = kernel_text_here(text);
	return rounds;
}

static void rounds_end(
	struct kernel_text *text, const struct grid *grid, const struct rounds *rounds)
{
	kernel_text_add(text, KERNEL_ADD, WIDE, WIDE, 0, grid->columns * grid->wide);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, WIDE, WIDES, rounds->wide);
	kernel_text_add(text, KERNEL_ADD, HIGH, HIGH, 0, grid->rows * grid->high);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, HIGH, HIGHS, rounds->high);
}

/* ---- one step of a matrix: a block of tiles into the circular buffer ---- */

/* Appends code that reads the tiles of the block that lie inside the matrix. */
static void matmul_grid_read_block(struct kernel_text *text, const struct library_use *use,
	const struct side *side, uint32_t description)
{
	uint32_t inner = use->tiles[PRODUCT_INNER], columns = use->tiles[PRODUCT_COLUMNS];
	uint32_t bytes = parts_tile_bytes(use);

	for (uint32_t i = 0; i < side->tiles; i++) {
		uint32_t none = kernel_text_label(text);

		kernel_text_add(text, KERNEL_ADD, TILE, FIRST, 0, i);
		kernel_text_jump(
			text, KERNEL_JUMP_NOT_BELOW, TILE, side->left ? HIGHS : WIDES, none);
		kernel_text_add(text, KERNEL_MULTIPLY, PAGE, side->left ? TILE : INNER, 0,
			side->left ? inner : columns);
		kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, side->left ? INNER : TILE, 0);
		kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
		kernel_text_add(text, KERNEL_ADD, WHERE, LOCAL, 0, i * bytes);
		kernel_text_add(text, KERNEL_READ, WHERE, PLACE, 0, bytes);
		kernel_text_place(text, none);
	}
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
}

/* Appends code that multicasts bytes: if `right` is set, to the rectangle TARGET; if `below` is
 * set, to the rectangle BELOW. */
static void matmul_grid_send(
	struct kernel_text *text, uint8_t from, uint32_t bytes, bool right, bool below)
{
	if (right) {
		kernel_text_add(text, KERNEL_ADD, TARGET + 1, from, 0, 0);
		kernel_text_add(text, KERNEL_MULTICAST, from, TARGET, 0, bytes);
	}
	if (below) {
		kernel_text_add(text, KERNEL_ADD, BELOW + 1, from, 0, 0);
		kernel_text_add(text, KERNEL_MULTICAST, from, BELOW, 0, bytes);
	}
}

/* Appends code that waits for room at all receivers, then sends the data, and then the number of
 * the step. */
static void matmul_grid_send_block(
	struct kernel_text *text, const struct grid *grid, const struct side *side, uint32_t bytes)
{
	uint32_t sent = matmul_place_semaphore(side, SENT);
	const struct worker_rect *rect = &grid->rect;
	bool right = !side->first_sends || rect->column1 > rect->column0;
	bool below = side->first_sends && rect->row1 > rect->row0;

	kernel_text_add(text, KERNEL_MULTIPLY, EXPECTED, STEP, 0, side->receivers);
	kernel_text_add(
		text, KERNEL_UNTIL_LEAST, EXPECTED, 0, 0, matmul_place_semaphore(side, READY));
	matmul_grid_send(text, LOCAL, side->tiles * bytes, right, below);
	kernel_text_add(text, KERNEL_RAISE, STEP, 0, 0, sent);
	kernel_text_add(text, KERNEL_SEMAPHORE, WHERE, 0, 0, sent);
	matmul_grid_send(text, WHERE, 4, right, below);
}

static void matmul_grid_step(struct parts *parts, const struct grid *grid, const struct side *side,
	bool sends, uint32_t description)
{
	struct kernel_text *text = &parts->text;
	const struct library_use *use = parts->use;
	uint8_t buffer = (uint8_t)side->port;

	kernel_text_add(text, KERNEL_ADD, STEP, STEP, 0, 1);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, side->tiles);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	if (sends) {
		matmul_grid_read_block(text, use, side, description);
		if (side->receivers > 0)
			matmul_grid_send_block(text, grid, side, parts_tile_bytes(use));
	} else {
		kernel_text_add(text, KERNEL_INCREMENT, 0, SENDER, 0, 1);
		kernel_text_add(
			text, KERNEL_UNTIL_LEAST, STEP, 0, 0, matmul_place_semaphore(side, SENT));
	}
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, side->tiles);
}

/* ---- writing the result ---- */

static void matmul_grid_write_block(struct kernel_text *text, const struct library_use *use,
	const struct grid *grid, uint32_t description)
{
	uint32_t bytes = parts_tile_bytes(use), tiles = grid->high * grid->wide;

	kernel_text_add(text, KERNEL_AWAIT, PRODUCT_TO, 0, 0, tiles);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, PRODUCT_TO, 0, 0);
	for (uint32_t i = 0; i < tiles; i++) {
		uint32_t none = kernel_text_label(text);

		kernel_text_add(text, KERNEL_MULTIPLY, TILE, ROW, 0, grid->high);
		kernel_text_add(text, KERNEL_ADD, TILE, TILE, HIGH, i / grid->wide);
		kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, TILE, HIGHS, none);
		kernel_text_add(text, KERNEL_MULTIPLY, PAGE, TILE, WIDES, 0);
		kernel_text_add(text, KERNEL_ADD, TILE, FIRST, 0, i % grid->wide);
		kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, TILE, WIDES, none);
		kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, TILE, 0);
		kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
		kernel_text_add(text, KERNEL_ADD, WHERE, LOCAL, 0, i * bytes);
		kernel_text_add(text, KERNEL_WRITE, WHERE, PLACE, 0, bytes);
		kernel_text_place(text, none);
	}
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, PRODUCT_TO, 0, 0, tiles);
}

/* ---- kernels ---- */

static void matmul_grid_add_mover(struct parts *parts, const struct grid *grid,
	const struct side *side, bool sends, struct worker_rect rect)
{
	const struct library_use *use = parts->use;
	struct kernel_text *text = parts_begin_on(parts, side->processor, rect);
	uint32_t description = 0, result = 0, again;
	struct rounds rounds;

	if (sends)
		description = parts_port(parts, side->port, side->name);
	if (!side->left)
		result = parts_port(parts, PRODUCT_TO, "to");
	matmul_place_find(text, grid, &rect);
	matmul_place_others(text, grid, side, sends);
	rounds = rounds_begin(text, use);
	kernel_text_add(text, KERNEL_MULTIPLY, FIRST, side->left ? ROW : COLUMN, 0, side->tiles);
	kernel_text_add(text, KERNEL_ADD, FIRST, FIRST, side->left ? HIGH : WIDE, 0);
	again = loop_begin(text, INNER, INNERS, use->tiles[PRODUCT_INNER]);
	matmul_grid_step(parts, grid, side, sends, description);
	loop_end(text, INNER, INNERS, again);
	if (!side->left)
		matmul_grid_write_block(text, use, grid, result);
	rounds_end(text, grid, &rounds);
	parts_end(parts);
}

/* Appends code that unpacks a pair of tiles, one of each block, for every destination register. */
static void unpack_blocks(
	struct kernel_text *text, const struct grid *grid, enum kernel_element element)
{
	kernel_text_add(text, KERNEL_AWAIT, PRODUCT_LEFT, 0, 0, grid->high);
	kernel_text_add(text, KERNEL_AWAIT, PRODUCT_RIGHT, 0, 0, grid->wide);
	for (uint32_t i = 0; i < grid->high * grid->wide; i++) {
		kernel_text_set(text, TILE, i / grid->wide);
		kernel_text_add(text, KERNEL_TILE_UNPACK, PRODUCT_LEFT, KERNEL_LEFT, TILE, element);
		kernel_text_set(text, TILE, i % grid->wide);
		kernel_text_add(
			text, KERNEL_TILE_UNPACK, PRODUCT_RIGHT, KERNEL_RIGHT, TILE, element);
	}
	kernel_text_add(text, KERNEL_POP, PRODUCT_LEFT, 0, 0, grid->high);
	kernel_text_add(text, KERNEL_POP, PRODUCT_RIGHT, 0, 0, grid->wide);
}

static void matmul_grid_add_unpacker(struct parts *parts, const struct grid *grid)
{
	struct kernel_text *text = parts_begin_on(parts, PROCESSOR_TRISC0, grid->rect);
	struct rounds rounds = rounds_begin(text, parts->use);
	uint32_t again = loop_begin(text, INNER, INNERS, parts->use->tiles[PRODUCT_INNER]);

	unpack_blocks(text, grid, parts_element(parts->use));
	loop_end(text, INNER, INNERS, again);
	rounds_end(text, grid, &rounds);
	parts_end(parts);
}

static void matmul_grid_add_math(struct parts *parts, const struct grid *grid)
{
	struct kernel_text *text = parts_begin_on(parts, PROCESSOR_TRISC1, grid->rect);
	struct rounds rounds = rounds_begin(text, parts->use);
	uint32_t again;

	kernel_text_add(text, KERNEL_TILE_ACQUIRE,
		(uint8_t)parts_kernel_element(parts_registers(parts->use)), 0, 0, 0);
	again = loop_begin(text, INNER, INNERS, parts->use->tiles[PRODUCT_INNER]);
	for (uint32_t i = 0; i < grid->high * grid->wide; i++)
		kernel_text_add(text, KERNEL_TILE_MATMUL, (uint8_t)i, 0, 0, 0);
	loop_end(text, INNER, INNERS, again);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	rounds_end(text, grid, &rounds);
	parts_end(parts);
}

static void matmul_grid_add_packer(struct parts *parts, const struct grid *grid)
{
	struct kernel_text *text = parts_begin_on(parts, PROCESSOR_TRISC2, grid->rect);
	struct rounds rounds = rounds_begin(text, parts->use);
	uint32_t tiles = grid->high * grid->wide;

	kernel_text_add(text, KERNEL_RESERVE, PRODUCT_TO, 0, 0, tiles);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	for (uint32_t i = 0; i < tiles; i++) {
		kernel_text_set(text, TILE, i);
		kernel_text_add(text, KERNEL_TILE_PACK, PRODUCT_TO, 0, TILE,
			kernel_tile_result(i, parts_element(parts->use)));
	}
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, PRODUCT_TO, 0, 0, tiles);
	rounds_end(text, grid, &rounds);
	parts_end(parts);
}

/* ---- the program ---- */

static enum status matmul_grid_check(const struct library_use *use, struct text *why)
{
	enum status status = product_check(use, why);

	if (status == STATUS_OK && use->cores.kind == CORES_COUNT) {
		library_refuses(use, LIBRARY_OF_CORES, 0);
		status = refuse(why, STATUS_INVALID,
			"a grid of cores is a rectangle or all of them, not %u cores",
			use->cores.count);
	}
	return status;
}

/* Adds the kernels that move one of the two matrices, if the cores form a line (not FORM_GRID).
 * With side->first_sends, the first core sends tiles to all other cores. Otherwise each core reads
 * its own tiles. */
static void line_add_movers(struct parts *parts, const struct grid *grid, const struct side *side)
{
	struct worker_rect first = grid->rect, right = grid->rect, below = grid->rect;

	if (!side->first_sends) {
		matmul_grid_add_mover(parts, grid, side, true, grid->rect);
		return;
	}
	first.row1 = right.row1 = first.row0;
	first.column1 = first.column0;
	right.column0++;
	below.row0++;
	matmul_grid_add_mover(parts, grid, side, true, first);
	if (right.column0 <= right.column1)
		matmul_grid_add_mover(parts, grid, side, false, right);
	if (below.row0 <= below.row1)
		matmul_grid_add_mover(parts, grid, side, false, below);
}

static void add_movers(struct parts *parts, const struct grid *grid)
{
	for (int left = 0; left < 2; left++) {
		struct side side = matmul_place_side(grid, left);

		if (grid->form != FORM_GRID) {
			line_add_movers(parts, grid, &side);
			continue;
		}
		matmul_grid_add_mover(
			parts, grid, &side, true, matmul_place_cores(grid, &side, true));
		if (side.receivers > 0)
			matmul_grid_add_mover(
				parts, grid, &side, false, matmul_place_cores(grid, &side, false));
	}
}

static enum status matmul_grid_build(
	struct program *program, const struct library_use *use, enum form form, struct text *why)
{
	enum status status = matmul_grid_check(use, why);
	struct library_use within = *use;
	uint32_t bytes = parts_tile_bytes(use), number;
	struct parts parts;
	struct grid grid;

	if (status != STATUS_OK)
		return status;
	grid = matmul_place_grid(use, form);
	within.cores = (struct cores){.kind = CORES_RECTANGLE, .rect = grid.rect};
	parts_init(&parts, program, &within, why);
	for (uint32_t i = 0; i < 2 * SEMAPHORES_EACH && parts.status == STATUS_OK; i++)
		parts.status = program_add_semaphore(program, within.cores, 0, why, &number);
	add_movers(&parts, &grid);
	matmul_grid_add_unpacker(&parts, &grid);
	matmul_grid_add_math(&parts, &grid);
	matmul_grid_add_packer(&parts, &grid);
	parts_circular_buffer(&parts, PARTS_BUFFERED * grid.high, bytes);
	parts_circular_buffer(&parts, PARTS_BUFFERED * grid.wide, bytes);
	parts_circular_buffer(&parts, PARTS_BUFFERED * grid.high * grid.wide, bytes);
	return parts.status;
}

static enum status grid_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	return matmul_grid_build(program, use, FORM_GRID, why);
}

static enum status line_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	bool wide = use->tiles[PRODUCT_COLUMNS] >= use->tiles[PRODUCT_ROWS];

	return matmul_grid_build(program, use, wide ? FORM_WIDE : FORM_TALL, why);
}

PRODUCT_ROW(matmul_line,
	"multiplies two matrices on a line of cores along the longer side of the result: one reads "
	"what all need and multicasts it",
	PRODUCT_OF_ONE, "", line_build, product_reference)

PRODUCT_ROW(matmul_grid,
	"multiplies two matrices on a rectangle of cores, which multicast what they read along "
	"rows and columns",
	PRODUCT_OF_ONE, "", grid_build, product_reference)
