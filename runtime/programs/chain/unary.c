/* Programs that apply a function to each element of a tensor, one tile at a time. */
#include "chain.h"

static enum status unary_make(const struct library_use *use, enum kernel_function function,
	struct chain *chain, struct text *why)
{
	uint32_t tiles = use->buffers[0].placement->page_count;
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK)
		status = parts_check_tiles(use, 0, "from", tiles, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, 1, "to", tiles, why);
	if (status != STATUS_OK)
		return status;
	chain->groups = tiles;
	chain->inside = parts_registers(use);
	chain->input_count = 1;
	chain->inputs[0] = (struct chain_input){
		.name = "from", .tiles = 1, .stride = 1, .first = {{1, tiles, 1}}};
	chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_COPY,
				 .left = {.buffer = 0, .last = true},
				 .results = 1,
				 .inner = 1});
	chain_then(chain, KERNEL_TILE_FUNCTION, function);
	return STATUS_OK;
}

#define UNARY(row, function, sentence)                                                             \
	static enum status row##_make(                                                             \
		const struct library_use *use, struct chain *chain, struct text *why)              \
	{                                                                                          \
		return unary_make(use, function, chain, why);                                      \
	}                                                                                          \
                                                                                                   \
	CHAIN_FUNCTIONS(row, row##_make)                                                           \
                                                                                                   \
	const struct library_row library_##row = {                                                 \
		.name = #row,                                                                      \
		.what = (sentence),                                                                \
		.section = "3.4.4, flow 7",                                                        \
		.parameters = LIBRARY_ELEMENT,                                                     \
		.port_count = 2,                                                                   \
		.ports = {{"from", "tiles", false}, {"to", "as many tiles", true}},                \
		.shapes = {"rc", "rc"},                                                            \
		.build = row##_build,                                                              \
		.reference = row##_reference,                                                      \
	};

UNARY(exp, KERNEL_EXP, "exponential of each element")
UNARY(reciprocal, KERNEL_RECIPROCAL, "reciprocal of each element")
UNARY(sqrt, KERNEL_SQRT, "square root of each element")
UNARY(gelu, KERNEL_GELU, "gelu of each element: x times the share of the normal distribution below")
UNARY(silu, KERNEL_SILU, "silu of each element: x / (1 + exp(-x))")
UNARY(tanh, KERNEL_TANH, "hyperbolic tangent of each element")
