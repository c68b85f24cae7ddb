/* Programs of attention: scaled dot product attention, and rotary embedding. Both take several
 * heads (or batches), one behind the other; their number follows from the size of the first buffer.
 * A group is a row of tiles of one head. Values in between are f32. */
#include <math.h>

#include "base/refuse.h"
#include "chain.h"

/* Sets *heads to the number of heads in port 0, which has `tiles` for each. */
static enum status attention_heads(
	const struct library_use *use, uint64_t tiles, uint32_t *heads, struct text *why)
{
	uint32_t pages = use->buffers[0].placement->page_count;
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK && (tiles == 0 || pages % tiles != 0)) {
		library_refuses(use, LIBRARY_OF_TILES, 0);
		status = refuse(why, STATUS_INVALID,
			"a buffer of %u tiles has no whole number of heads of %llu tiles", pages,
			(unsigned long long)tiles);
	}
	*heads = status == STATUS_OK ? (uint32_t)(pages / tiles) : 0;
	return status;
}

/* ---- scaled dot product attention ---- */

enum { QUERIES, KEYS, VALUES, ATTENTION_TO };

static enum status attention_take(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], wide = use->tiles[1], keys = use->tiles[2], heads;
	uint64_t of_head = (uint64_t)keys * wide;
	enum status status = attention_heads(use, (uint64_t)rows * wide, &heads, why);
	struct chain_input all = {
		.tiles = keys * wide, .stride = 1, .first = {{rows, heads, keys * wide}}};

	if (status != STATUS_OK)
		return status;
	chain->groups = heads * rows;
	chain->inside = ELEMENT_F32;
	status = chain_take(use, chain, (uint64_t)chain->groups * wide,
		(struct chain_input){.name = "queries",
			.tiles = wide,
			.stride = 1,
			.first = {{1, chain->groups, wide}}},
		why);
	all.name = "keys";
	if (status == STATUS_OK)
		status = chain_take(use, chain, heads * of_head, all, why);
	all.name = "values";
	if (status == STATUS_OK)
		status = chain_take(use, chain, heads * of_head, all, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(
			use, ATTENTION_TO, "to", (uint64_t)chain->groups * wide, why);
	return status;
}

/* Appends the exponentials of the scores of queries and keys, less the largest of each row. Sets
 * *sum to the reciprocals of their sums. */
static uint8_t attention_weights(struct chain *chain, uint32_t wide, uint32_t keys, uint8_t *sum)
{
	uint8_t turned =
		chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_TRANSPOSE,
					 .left = {.buffer = KEYS, .by_result = 1, .last = true},
					 .results = keys * wide,
					 .inner = 1});
	uint8_t scores = chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
			.left = {.buffer = QUERIES, .by_inner = 1, .last = true},
			.right = {.buffer = turned, .by_result = wide, .by_inner = 1, .last = true},
			.results = keys,
			.inner = wide});
	uint8_t most, weights;

	chain_then_float(chain, KERNEL_TILE_SCALE, 1.0f / sqrtf((float)(wide * KERNEL_TILE_SIDE)));
	most = chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_REDUCE,
					.b = KERNEL_ALONG_ROWS,
					.c = KERNEL_MAX,
					.left = {.buffer = scores, .by_inner = 1},
					.results = 1,
					.inner = keys});
	weights = chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_SUBTRACT,
					   .b = KERNEL_COLUMN,
					   .left = {.buffer = scores, .by_result = 1, .last = true},
					   .right = {.buffer = most, .last = true},
					   .results = keys,
					   .inner = 1});
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_EXP);
	*sum = chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_REDUCE,
					.b = KERNEL_ALONG_ROWS,
					.c = KERNEL_SUM,
					.left = {.buffer = weights, .by_inner = 1},
					.results = 1,
					.inner = keys});
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_RECIPROCAL);
	return weights;
}

static enum status attention_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t wide = use->tiles[1], keys = use->tiles[2];
	enum status status = attention_take(use, chain, why);
	uint8_t weights, sum, mixed;

	if (status != STATUS_OK)
		return status;
	weights = attention_weights(chain, wide, keys, &sum);
	mixed = chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
			.left = {.buffer = weights, .by_inner = 1, .last = true},
			.right = {.buffer = VALUES, .by_result = 1, .by_inner = wide, .last = true},
			.results = wide,
			.inner = keys});
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MULTIPLY,
				 .b = KERNEL_COLUMN,
				 .left = {.buffer = mixed, .by_result = 1, .last = true},
				 .right = {.buffer = sum, .last = true},
				 .results = wide,
				 .inner = 1});
	return STATUS_OK;
}

/* ---- rotary embedding ---- */

enum { FROM, COSINES, SINES, ROTARY_TO };

static enum status rotary_take(const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], wide = use->tiles[1], heads;
	uint64_t of_head = (uint64_t)rows * wide;
	enum status status = attention_heads(use, of_head, &heads, why);
	struct chain_input angles = {.tiles = wide, .stride = 1, .first = {{1, rows, wide}}};

	if (status == STATUS_OK && wide % 2 != 0) {
		library_refuses(use, LIBRARY_OF_TILES, FROM);
		status = refuse(why, STATUS_INVALID,
			"a rotary embedding turns two halves of each row, but rows are %u tiles "
			"wide",
			wide);
	}
	if (status != STATUS_OK)
		return status;
	chain->groups = heads * rows;
	chain->inside = ELEMENT_F32;
	status = chain_take(use, chain, heads * of_head,
		(struct chain_input){.name = "from",
			.tiles = wide,
			.stride = 1,
			.first = {{1, chain->groups, wide}}},
		why);
	angles.name = "cosines";
	if (status == STATUS_OK)
		status = chain_take(use, chain, of_head, angles, why);
	angles.name = "sines";
	if (status == STATUS_OK)
		status = chain_take(use, chain, of_head, angles, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, ROTARY_TO, "to", heads * of_head, why);
	return status;
}

/* The left half of the result is left * cos - right * sin, the right half right * cos + left * sin.
 */
static enum status rotary_make(const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t wide = use->tiles[1], half = wide / 2;
	enum status status = rotary_take(use, chain, why);
	uint8_t straight, across;

	if (status != STATUS_OK)
		return status;
	straight =
		chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MULTIPLY,
					 .left = {.buffer = FROM, .by_result = 1},
					 .right = {.buffer = COSINES, .by_result = 1, .last = true},
					 .results = wide,
					 .inner = 1});
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MULTIPLY,
				 .left = {.buffer = FROM, .first = half, .by_result = 1},
				 .right = {.buffer = SINES, .by_result = 1},
				 .results = half,
				 .inner = 1});
	chain_then_float(chain, KERNEL_TILE_SCALE, -1);
	across = chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_MULTIPLY,
			.left = {.buffer = FROM, .by_result = 1, .last = true},
			.right = {.buffer = SINES, .first = half, .by_result = 1, .last = true},
			.results = half,
			.inner = 1,
			.joins = true});
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_ADD,
				 .left = {.buffer = straight, .by_result = 1, .last = true},
				 .right = {.buffer = across, .by_result = 1, .last = true},
				 .results = wide,
				 .inner = 1});
	return STATUS_OK;
}

/* ---- rows ---- */

CHAIN_FUNCTIONS(attention, attention_make)
CHAIN_FUNCTIONS(rotary, rotary_make)

const struct library_row library_attention = {
	.name = "attention",
	.what = "scaled dot product attention of any number of heads, without a mask; `inner` are "
		"the rows of keys",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,
	.port_count = 4,
	.ports = {{"queries", "rows x columns tiles of each head, row by row", false},
		{"keys", "inner x columns tiles of each head", false},
		{"values", "inner x columns tiles of each head", false},
		{"to", "as many tiles as queries", true}},
	.build = attention_build,
	.reference = attention_reference,
};

const struct library_row library_rotary = {
	.name = "rotary",
	.what = "rotary embedding: turns the two halves of each row by the angles of its position",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES,
	.port_count = 4,
	.ports = {{"from", "rows x columns tiles of each head, columns even", false},
		{"cosines", "rows x columns tiles, for all heads", false},
		{"sines", "rows x columns tiles, for all heads", false},
		{"to", "as many tiles as from", true}},
	.build = rotary_build,
	.reference = rotary_reference,
};
