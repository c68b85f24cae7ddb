/* Programs that reorder the elements of matrices: transposition, and concatenation along rows. The
 * values pass through the destination registers, so each NaN becomes the NaN that compute_store()
 * stores. */
#include "chain.h"

static enum status transpose_make(
	const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t rows = use->tiles[0], columns = use->tiles[1];
	enum status status = parts_check_element(use, why);

	chain->groups = rows * columns;
	chain->inside = parts_registers(use);
	if (status == STATUS_OK)
		status = chain_take(use, chain, (uint64_t)rows * columns,
			(struct chain_input){.name = "from",
				.tiles = 1,
				.stride = 1,
				.first = {{1, rows, columns}, {rows, columns, 1}}},
			why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, 1, "to", (uint64_t)rows * columns, why);
	if (status == STATUS_OK)
		chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_TRANSPOSE,
					 .left = {.buffer = 0, .last = true},
					 .results = 1,
					 .inner = 1});
	return status;
}

/* Appends an input whose rows are `columns` tiles wide, and a stage that copies it. */
static enum status concat_take(const struct library_use *use, struct chain *chain, const char *name,
	uint32_t columns, struct text *why)
{
	return chain_take(use, chain, (uint64_t)use->tiles[0] * columns,
		(struct chain_input){.name = name,
			.tiles = columns,
			.stride = 1,
			.first = {{1, use->tiles[0], columns}}},
		why);
}

static void concat_copy(struct chain *chain, uint8_t buffer, uint32_t columns)
{
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_COPY,
				 .left = {.buffer = buffer, .by_result = 1, .last = true},
				 .results = columns,
				 .inner = 1,
				 .joins = buffer > 0});
}

static enum status concat_make(const struct library_use *use, struct chain *chain, struct text *why)
{
	uint32_t columns = use->tiles[1], more = use->tiles[2];
	enum status status = parts_check_element(use, why);

	chain->groups = use->tiles[0];
	chain->inside = parts_registers(use);
	if (status == STATUS_OK)
		status = concat_take(use, chain, "left", columns, why);
	if (status == STATUS_OK)
		status = concat_take(use, chain, "right", more, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(
			use, 2, "to", (uint64_t)use->tiles[0] * ((uint64_t)columns + more), why);
	if (status != STATUS_OK)
		return status;
	concat_copy(chain, 0, columns);
	concat_copy(chain, 1, more);
	return STATUS_OK;
}

CHAIN_FUNCTIONS(transpose, transpose_make)
CHAIN_FUNCTIONS(concat, concat_make)

const struct library_row library_transpose = {
	.name = "transpose",
	.what = "turns rows of a matrix into columns",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES,
	.port_count = 2,
	.ports = {{"from", "rows x columns tiles, row by row", false},
		{"to", "columns x rows tiles, row by row", true}},
	.shapes = {"rc", "cr"},
	.build = transpose_build,
	.reference = transpose_reference,
};

const struct library_row library_concat = {
	.name = "concat",
	.what = "puts the rows of a second matrix behind those of the first; `inner` is its width",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,
	.port_count = 3,
	.ports = {{"left", "rows x columns tiles, row by row", false},
		{"right", "rows x inner tiles, row by row", false},
		{"to", "rows x (columns + inner) tiles, row by row", true}},
	.shapes = {"rc", "rk", "rs"},
	.build = concat_build,
	.reference = concat_reference,
};
