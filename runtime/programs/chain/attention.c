/* Programs of attention: scaled dot product attention, and rotary embedding. Both process several
 * heads (or batches), which follow each other in the buffers. The number of heads follows from the
 * size of the first buffer. A group (chain.h) is a row of tiles of one head. Intermediate values
 * are f32. */
#include <math.h>

#include "base/refuse.h"
#include "chain.h"

/* Sets *heads to the number of heads in port 0. Each head has `tiles` tiles. */
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

enum { QUERIES, KEYS, VALUES, MASK };

/* Which keys a query attends to. ALL_KEYS: all keys. UP_TO_OWN: the keys up to the query's own
 * position; the last query is at the position of the last key. GIVEN: all keys, and the values of a
 * port are added to the scores. */
enum attention_mask { ALL_KEYS, UP_TO_OWN, GIVEN };

/* The arguments of attention_add(). `keys` is the number of keys, and `wide` the width of a key,
 * both in tiles. If groups have different numbers of keys, `each` describes these numbers, and
 * `of_keys` describes them times `wide`. */
struct attention {
	enum attention_mask mask;
	uint32_t wide, keys;
	struct chain_varying each, of_keys;
};

/* Adds the ports as inputs of the chain. A mask is the same for all heads. */
static enum status attention_take(const struct library_use *use, const struct attention *attention,
	struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], wide = attention->wide, keys = attention->keys, heads;
	enum status status = attention_heads(use, (uint64_t)rows * wide, &heads, why);
	struct chain_input own = {.name = "queries", .tiles = wide, .stride = 1};
	struct chain_input all = {.tiles = keys * wide, .stride = 1, .read = attention->of_keys};

	if (status != STATUS_OK)
		return status;
	chain->groups = heads * rows;
	own.first[0] = (struct chain_term){1, chain->groups, wide};
	all.first[0] = (struct chain_term){rows, heads, keys * wide};
	status = chain_take(use, chain, (uint64_t)chain->groups * wide, own, why);
	all.name = "keys";
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)heads * keys * wide, all, why);
	all.name = "values";
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)heads * keys * wide, all, why);
	if (status == STATUS_OK && attention->mask == GIVEN)
		status = chain_take(use, chain, (uint64_t)rows * keys,
			(struct chain_input){.name = "mask",
				.tiles = keys,
				.stride = 1,
				.first = {{1, rows, keys}}},
			why);
	if (status == STATUS_OK)
		status = parts_check_tiles(
			use, chain->input_count, "to", (uint64_t)chain->groups * wide, why);
	return status;
}

/* Appends the stages that compute the scores: products of queries and keys, divided by the square
 * root of the length of a key. */
static uint8_t attention_scores(struct chain *chain, const struct attention *attention)
{
	uint32_t wide = attention->wide, keys = attention->keys;
	uint8_t turned =
		chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_TRANSPOSE,
					 .left = {.buffer = KEYS, .by_result = 1, .last = true},
					 .results = keys * wide,
					 .results_of = attention->of_keys,
					 .inner = 1});
	uint8_t scores = chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
			.left = {.buffer = QUERIES, .by_inner = 1, .last = true},
			.right = {.buffer = turned, .by_result = wide, .by_inner = 1, .last = true},
			.results = keys,
			.results_of = attention->each,
			.inner = wide});

	chain_then_float(chain, KERNEL_TILE_SCALE, 1.0f / sqrtf((float)(wide * KERNEL_TILE_SIDE)));
	return scores;
}

/* Appends the stages that add the mask to the scores, and returns the buffer of the result.
 * ALL_KEYS needs no stages. For UP_TO_OWN, the mask is added only to the scores of the last tile of
 * keys, since only this tile contains masked keys. */
static uint8_t attention_masked_scores(
	struct chain *chain, const struct attention *attention, uint8_t scores)
{
	uint32_t keys = attention->keys;

	if (attention->mask == GIVEN)
		return chain_add(
			chain, (struct chain_stage){.opcode = KERNEL_TILE_ADD,
				       .left = {.buffer = scores, .by_result = 1, .last = true},
				       .right = {.buffer = MASK, .by_result = 1, .last = true},
				       .results = keys,
				       .inner = 1});
	if (attention->mask == ALL_KEYS)
		return scores;
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_COPY,
				 .left = {.buffer = scores, .by_result = 1},
				 .results = keys - 1,
				 .results_of = {1, 1},
				 .inner = 1});
	return chain_add(
		chain, (struct chain_stage){.opcode = KERNEL_TILE_ADD,
			       .left = {.buffer = scores, .first_of = {1, 1}, .last = true},
			       .right = {.buffer = MASK},
			       .results = 1,
			       .inner = 1,
			       .joins = true});
}

/* Appends the stages that subtract the largest score of each row from all scores of the row, and
 * compute the exponentials of the differences. Returns the number of the buffer with the
 * exponentials. Sets *sum to the number of the buffer that contains the reciprocals of the sums of
 * these exponentials. */
static uint8_t attention_weights(
	struct chain *chain, const struct attention *attention, uint8_t scores, uint8_t *sum)
{
	struct chain_stage along = {.opcode = KERNEL_TILE_REDUCE,
		.b = KERNEL_ALONG_ROWS,
		.c = KERNEL_MAX,
		.left = {.buffer = scores, .by_inner = 1},
		.results = 1,
		.inner = attention->keys,
		.inner_of = attention->each};
	uint8_t most = chain_add(chain, along);
	uint8_t weights =
		chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_SUBTRACT,
					 .b = KERNEL_COLUMN,
					 .left = {.buffer = scores, .by_result = 1, .last = true},
					 .right = {.buffer = most, .last = true},
					 .results = attention->keys,
					 .results_of = attention->each,
					 .inner = 1});

	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_EXP);
	along.c = KERNEL_SUM;
	along.left.buffer = weights;
	*sum = chain_add(chain, along);
	chain_then(chain, KERNEL_TILE_FUNCTION, KERNEL_RECIPROCAL);
	return weights;
}

static void attention_add(struct chain *chain, const struct attention *attention)
{
	uint32_t wide = attention->wide;
	uint8_t scores = attention_scores(chain, attention), sum, weights, mixed;

	scores = attention_masked_scores(chain, attention, scores);
	weights = attention_weights(chain, attention, scores, &sum);
	mixed = chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
			.left = {.buffer = weights, .by_inner = 1, .last = true},
			.right = {.buffer = VALUES, .by_result = 1, .by_inner = wide, .last = true},
			.results = wide,
			.inner = attention->keys,
			.inner_of = attention->each});
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MULTIPLY,
				 .b = KERNEL_COLUMN,
				 .left = {.buffer = mixed, .by_result = 1, .last = true},
				 .right = {.buffer = sum, .last = true},
				 .results = wide,
				 .inner = 1});
}

/* Makes the chain of an attention program. With UP_TO_OWN (a causal mask), the number of keys
 * varies: the queries in tile row r of a head attend only to the first keys - rows + r + 1 tiles of
 * keys. */
static enum status any_attention_make(const struct library_use *use, enum attention_mask mask,
	struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], wide = use->tiles[1], keys = use->tiles[2];
	struct attention attention = {.mask = mask, .wide = wide, .keys = keys};
	enum status status;

	if (mask == UP_TO_OWN && rows > keys) {
		library_refuses(use, LIBRARY_OF_TILES, KEYS);
		return refuse(why, STATUS_INVALID,
			"a causal mask of %u tiles of queries over %u of keys: the first have none",
			rows, keys);
	}
	chain->inside = ELEMENT_F32;
	if (mask == UP_TO_OWN) {
		attention.each.times = 1;
		attention.of_keys.times = wide;
		chain->rising = rows;
		chain->least = keys - rows + 1;
	}
	status = attention_take(use, &attention, chain, why);
	if (status == STATUS_OK && mask == UP_TO_OWN)
		chain_take_mask(chain);
	if (status == STATUS_OK)
		attention_add(chain, &attention);
	return status;
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

/* Makes the chain of the rotary embedding. The left half of the result is left * cos - right * sin;
 * the right half is right * cos + left * sin. */
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

/* ---- entries of the library ---- */

CHAIN_FUNCTIONS(rotary, rotary_make)

#define ATTENTION(row, which, count, sentence, fourth, fifth, ...)                                 \
	static enum status row##_make(                                                             \
		const struct library_use *use, struct chain *chain, struct text *why)              \
	{                                                                                          \
		return any_attention_make(use, which, chain, why);                                 \
	}                                                                                          \
                                                                                                   \
	CHAIN_FUNCTIONS(row, row##_make)                                                           \
                                                                                                   \
	const struct library_row library_##row = {                                                 \
		.name = #row,                                                                      \
		.what = (sentence),                                                                \
		.section = "3.4.4, flow 7",                                                        \
		.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,                     \
		.port_count = (count),                                                             \
		.ports = {{"queries", "rows x columns tiles of each head, row by row", false},     \
			{"keys", "inner x columns tiles of each head", false},                     \
			{"values", "inner x columns tiles of each head", false}, __VA_ARGS__},     \
		.shapes = {"hrc", "hkc", "hkc", fourth, fifth},                                    \
		.build = row##_build,                                                              \
		.reference = row##_reference,                                                      \
	};

#define ATTENTION_TO                                                                               \
	{                                                                                          \
		"to", "as many tiles as queries", true                                             \
	}

ATTENTION(attention, ALL_KEYS, 4,
	"scaled dot product attention of any number of heads, without a mask; `inner` are the rows "
	"of keys",
	"hrc", NULL, ATTENTION_TO)
ATTENTION(attention_causal, UP_TO_OWN, 4,
	"attention to the keys up to a query's own position (the last query is at the last key); "
	"keys behind it are not read",
	"hrc", NULL, ATTENTION_TO)
ATTENTION(attention_masked, GIVEN, 5,
	"attention with a mask that is added to the scores of all heads", "rk", "hrc",
	{"mask", "rows x inner tiles, row by row", false}, ATTENTION_TO)

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
	.shapes = {"hrc", "rc", "rc", "hrc"},
	.build = rotary_build,
	.reference = rotary_reference,
};
