/* Programs that normalize each row of a matrix: softmax, layer norm and RMS norm. A group (chain.h)
 * is a row of tiles. It stays in the L1 of its core until its results are computed. Intermediate
 * values are f32, for every element type. */
#include "chain.h"

/* Added to a variance, or to a mean of squares, before its square root is computed. */
#define EPSILON 1e-5f

enum { FROM, WEIGHT, BIAS };

/* Begins a chain over rows of tiles. The first input of the chain is the matrix. */
static enum status rows_begin(const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], columns = use->tiles[1];
	enum status status = parts_check_element(use, why);

	chain->groups = rows;
	chain->inside = ELEMENT_F32;
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)rows * columns,
			(struct chain_input){.name = "from",
				.tiles = columns,
				.stride = 1,
				.first = {{1, rows, columns}}},
			why);
	return status;
}

/* Appends an input of one row of tiles. The first row of elements in it applies to all rows. */
static enum status take_row(
	const struct library_use *use, struct chain *chain, const char *name, struct text *why)
{
	return chain_take(use, chain, use->tiles[1],
		(struct chain_input){
			.name = name, .tiles = use->tiles[1], .stride = 1, .kept = true},
		why);
}

static enum status check_to(
	const struct library_use *use, const struct chain *chain, struct text *why)
{
	return parts_check_tiles(
		use, chain->input_count, "to", (uint64_t)use->tiles[0] * use->tiles[1], why);
}

/* Appends a stage that reduces each row to one element, in a column. */
static uint8_t normal_reduce(
	struct chain *chain, uint8_t buffer, enum kernel_reduction reduction, uint32_t columns)
{
	return chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_REDUCE,
					.b = KERNEL_ALONG_ROWS,
					.c = (uint8_t)reduction,
					.left = {.buffer = buffer, .by_inner = 1},
					.results = 1,
					.inner = columns});
}

/* Appends a stage that combines each tile of a row with a tile of `right`. If right.by_result is 1,
 * the stage takes successive tiles of `right`, otherwise always the first tile. Both operands may
 * be marked as `last`. */
static uint8_t combine(struct chain *chain, enum kernel_opcode opcode, enum kernel_broadcast spread,
	struct chain_operand left, struct chain_operand right, uint32_t columns)
{
	left.by_result = 1;
	return chain_add(chain, (struct chain_stage){.opcode = opcode,
					.b = (uint8_t)spread,
					.left = left,
					.right = right,
					.results = columns,
					.inner = 1});
}

static enum status softmax_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t columns = use->tiles[1];
	enum status status = rows_begin(use, chain, why);
	uint8_t most, grown, sum;

	if (status == STATUS_OK)
		status = check_to(use, chain, why);
	if (status != STATUS_OK)
		return status;
	most = normal_reduce(chain, FROM, KERNEL_MAX, columns);
	grown = combine(chain, KERNEL_TILE_SUBTRACT, KERNEL_COLUMN,
		(struct chain_operand){.buffer = FROM, .last = true},
		(struct chain_operand){.buffer = most, .last = true}, columns);
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_EXP);
	sum = normal_reduce(chain, grown, KERNEL_SUM, columns);
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_RECIPROCAL);
	combine(chain, KERNEL_TILE_MULTIPLY, KERNEL_COLUMN,
		(struct chain_operand){.buffer = grown, .last = true},
		(struct chain_operand){.buffer = sum, .last = true}, columns);
	return STATUS_OK;
}

/* Appends a stage that computes 1 / sqrt(mean of squares + epsilon) for each row of a buffer. */
static uint8_t root_of_squares(struct chain *chain, uint8_t buffer, uint32_t columns)
{
	uint8_t squares = combine(chain, KERNEL_TILE_MULTIPLY, KERNEL_EACH,
			(struct chain_operand){.buffer = buffer},
			(struct chain_operand){.buffer = buffer, .by_result = 1}, columns),
		root = normal_reduce(chain, squares, KERNEL_SUM, columns);

	chain->stages[chain->stage_count - 1].left.last = true;
	chain_then_float(chain, KERNEL_TILE_SCALE, 1.0f / (float)(columns * KERNEL_TILE_SIDE));
	chain_then_float(chain, KERNEL_TILE_OFFSET, EPSILON);
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_SQRT);
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_RECIPROCAL);
	return root;
}

/* Appends stages that multiply each row of a buffer by its root_of_squares() and by the weight. */
static uint8_t normalized(struct chain *chain, uint8_t buffer, uint32_t columns)
{
	uint8_t root = root_of_squares(chain, buffer, columns);
	uint8_t scaled = combine(chain, KERNEL_TILE_MULTIPLY, KERNEL_COLUMN,
		(struct chain_operand){.buffer = buffer, .last = true},
		(struct chain_operand){.buffer = root, .last = true}, columns);

	return combine(chain, KERNEL_TILE_MULTIPLY, KERNEL_ROW,
		(struct chain_operand){.buffer = scaled, .last = true},
		(struct chain_operand){.buffer = WEIGHT, .by_result = 1}, columns);
}

static enum status layer_norm_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t columns = use->tiles[1];
	enum status status = rows_begin(use, chain, why);
	uint8_t mean, centred, weighted;

	if (status == STATUS_OK)
		status = take_row(use, chain, "weight", why);
	if (status == STATUS_OK)
		status = take_row(use, chain, "bias", why);
	if (status == STATUS_OK)
		status = check_to(use, chain, why);
	if (status != STATUS_OK)
		return status;
	mean = normal_reduce(chain, FROM, KERNEL_SUM, columns);
	chain_then_float(chain, KERNEL_TILE_SCALE, 1.0f / (float)(columns * KERNEL_TILE_SIDE));
	centred = combine(chain, KERNEL_TILE_SUBTRACT, KERNEL_COLUMN,
		(struct chain_operand){.buffer = FROM, .last = true},
		(struct chain_operand){.buffer = mean, .last = true}, columns);
	weighted = normalized(chain, centred, columns);
	combine(chain, KERNEL_TILE_ADD, KERNEL_ROW,
		(struct chain_operand){.buffer = weighted, .last = true},
		(struct chain_operand){.buffer = BIAS, .by_result = 1}, columns);
	return STATUS_OK;
}

static enum status rms_norm_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	enum status status = rows_begin(use, chain, why);

	if (status == STATUS_OK)
		status = take_row(use, chain, "weight", why);
	if (status == STATUS_OK)
		status = check_to(use, chain, why);
	if (status == STATUS_OK)
		normalized(chain, FROM, use->tiles[1]);
	return status;
}

/* ---- entries of the library ---- */

CHAIN_FUNCTIONS(softmax, softmax_make)
CHAIN_FUNCTIONS(layer_norm, layer_norm_make)
CHAIN_FUNCTIONS(rms_norm, rms_norm_make)

const struct library_row library_softmax = {
	.name = "softmax",
	.what = "exponentials of each row, divided by their sum",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES,
	.port_count = 2,
	.ports = {{"from", "rows x columns tiles, row by row", false},
		{"to", "as many tiles", true}},
	.shapes = {"rc", "rc"},
	.build = softmax_build,
	.reference = softmax_reference,
};

const struct library_row library_layer_norm = {
	.name = "layer_norm",
	.what = "each row less its mean, over its deviation, times weight plus bias (epsilon 1e-5)",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES,
	.port_count = 4,
	.ports = {{"from", "rows x columns tiles, row by row", false},
		{"weight", "a row of tiles: its first row of elements", false},
		{"bias", "a row of tiles: its first row of elements", false},
		{"to", "as many tiles as from", true}},
	.shapes = {"rc", "1c", "1c", "rc"},
	.build = layer_norm_build,
	.reference = layer_norm_reference,
};

const struct library_row library_rms_norm = {
	.name = "rms_norm",
	.what = "each row over the root of its mean square, times weight (epsilon 1e-5)",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES,
	.port_count = 3,
	.ports = {{"from", "rows x columns tiles, row by row", false},
		{"weight", "a row of tiles: its first row of elements", false},
		{"to", "as many tiles as from", true}},
	.shapes = {"rc", "1c", "rc"},
	.build = rms_norm_build,
	.reference = rms_norm_reference,
};
