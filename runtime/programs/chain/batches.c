/* The program that multiplies batches of matrices. The matrices of a batch follow each other in the
 * buffers; their number follows from the size of the left buffer. Cores send nothing to each other:
 * each core computes some tiles of the results, and reads all tiles that it needs for them
 * itself. */
#include "base/refuse.h"
#include "chain.h"

static enum status batches_take(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[PRODUCT_ROWS], columns = use->tiles[PRODUCT_COLUMNS];
	uint32_t inner = use->tiles[PRODUCT_INNER];
	uint32_t pages = use->buffers[PRODUCT_LEFT].placement->page_count, batches;
	uint64_t each = (uint64_t)rows * inner;
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK && (each == 0 || columns == 0 || pages % each != 0)) {
		library_refuses(use, LIBRARY_OF_TILES, PRODUCT_LEFT);
		status = refuse(why, STATUS_INVALID,
			"a buffer of %u tiles has no whole number of matrices of %llu tiles", pages,
			(unsigned long long)each);
	}
	if (status != STATUS_OK)
		return status;
	batches = (uint32_t)(pages / each);
	chain->groups = batches * rows * columns;
	status = chain_take(use, chain, pages,
		(struct chain_input){.name = "left",
			.tiles = inner,
			.stride = 1,
			.first = {{columns, batches * rows, inner}}},
		why);
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)batches * inner * columns,
			(struct chain_input){.name = "right",
				.tiles = inner,
				.stride = columns,
				.first = {{rows * columns, batches, inner * columns},
					{1, columns, 1}}},
			why);
	if (status == STATUS_OK)
		status = parts_check_tiles(
			use, PRODUCT_TO, "to", (uint64_t)batches * rows * columns, why);
	return status;
}

static enum status batches_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	enum status status = batches_take(use, chain, why);

	chain->inside = parts_registers(use);
	if (status == STATUS_OK)
		chain_add(chain,
			(struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
				.left = {.buffer = PRODUCT_LEFT, .by_inner = 1, .last = true},
				.right = {.buffer = PRODUCT_RIGHT, .by_inner = 1, .last = true},
				.results = 1,
				.inner = use->tiles[PRODUCT_INNER]});
	return status;
}

CHAIN_FUNCTIONS(matmul_batches, batches_make)

/* ---- the rule ---- */

/* If the longer side of a result is more than LINE_RATIO times as long as the shorter side, a line
 * of cores computes the result. tt-metal does the same (from memory, not checked). */
enum { LINE_RATIO = 8 };

/* Returns the program that computes a product. For several matrices, or if the cores are not a
 * rectangle, this is matmul_batches. Otherwise, it is matmul_line if the result is long, or one
 * tile high or wide. In all other cases, it is matmul_grid. */
static const struct library_row *batches_choose(const struct library_use *use)
{
	uint64_t rows = use->tiles[PRODUCT_ROWS], columns = use->tiles[PRODUCT_COLUMNS];
	uint64_t more = rows > columns ? rows : columns, fewer = rows > columns ? columns : rows;
	uint64_t one = rows * use->tiles[PRODUCT_INNER];

	if (use->cores.kind == CORES_COUNT ||
		use->buffers[PRODUCT_LEFT].placement->page_count > one)
		return &library_matmul_batches;
	return fewer <= 1 || more > fewer * LINE_RATIO ? &library_matmul_line
						       : &library_matmul_grid;
}

static enum status batches_auto_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	return batches_choose(use)->build(program, use, why);
}

static void batches_auto_reference(
	const struct library_use *use, const struct library_values *values)
{
	batches_choose(use)->reference(use, values);
}

PRODUCT_ROW(matmul_batches, "multiplies any number of pairs of matrices; no core sends to another",
	PRODUCT_OF_EACH, "h", matmul_batches_build, matmul_batches_reference)

PRODUCT_ROW(matmul_auto,
	"one of matmul_batches (several matrices), matmul_line (one side over 8 times the other, "
	"or one tile), matmul_grid (else)",
	PRODUCT_OF_EACH, "h", batches_auto_build, batches_auto_reference)
