/* The program of a linear layer: a matrix product, to which a row (the bias) is added. A group is
 * one tile of the result. Sums are f32, and are rounded once, after the bias is added. */
#include "chain.h"

enum { FROM, WEIGHT, BIAS };

static enum status linear_take(const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], columns = use->tiles[1], inner = use->tiles[2];
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)rows * inner,
			(struct chain_input){.name = "from",
				.tiles = inner,
				.stride = 1,
				.first = {{columns, rows, inner}}},
			why);
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)inner * columns,
			(struct chain_input){.name = "weight",
				.tiles = inner,
				.stride = columns,
				.first = {{1, columns, 1}}},
			why);
	if (status == STATUS_OK)
		status = chain_take(use, chain, columns,
			(struct chain_input){.name = "bias",
				.tiles = 1,
				.stride = 1,
				.first = {{1, columns, 1}}},
			why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, 3, "to", (uint64_t)rows * columns, why);
	return status;
}

static enum status linear_make(const struct library_use *use, struct chain *chain, struct text *why)
{
	enum status status = linear_take(use, chain, why);
	uint8_t product;

	if (status != STATUS_OK)
		return status;
	chain->groups = use->tiles[0] * use->tiles[1];
	chain->inside = ELEMENT_F32;
	product = chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
					   .left = {.buffer = FROM, .by_inner = 1, .last = true},
					   .right = {.buffer = WEIGHT, .by_inner = 1, .last = true},
					   .results = 1,
					   .inner = use->tiles[2]});
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_ADD,
				 .b = KERNEL_ROW,
				 .left = {.buffer = product, .last = true},
				 .right = {.buffer = BIAS, .last = true},
				 .results = 1,
				 .inner = 1});
	return STATUS_OK;
}

CHAIN_FUNCTIONS(linear, linear_make)

const struct library_row library_linear = {
	.name = "linear",
	.what = "multiplies a matrix with weights and adds a bias to each row",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,
	.port_count = 4,
	.ports = {{"from", "rows x inner tiles, row by row", false},
		{"weight", "inner x columns tiles, row by row", false},
		{"bias", "a row of tiles: its first row of elements", false},
		{"to", "rows x columns tiles, row by row", true}},
	.shapes = {"rk", "kc", "1c", "rc"},
	.build = linear_build,
	.reference = linear_reference,
};
