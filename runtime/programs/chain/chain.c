/* Descriptions of chains, and the loops over groups and tiles that their kernels share; see
 * chain.h. */
#include "chain.h"

#include <string.h>

#include "base/ensure.h"

/* ---- descriptions ---- */

bool chain_takes_right(const struct chain_stage *stage)
{
	return stage->opcode == KERNEL_TILE_ADD || stage->opcode == KERNEL_TILE_SUBTRACT ||
	       stage->opcode == KERNEL_TILE_MULTIPLY || stage->opcode == KERNEL_TILE_MATMUL;
}

uint8_t chain_add(struct chain *chain, struct chain_stage stage)
{
	ensure(chain->stage_count < CHAIN_STAGES, "more stages than a chain has");
	if (chain->stage_count == 0)
		chain->buffer_count = chain->input_count;
	if (!stage.joins)
		chain->buffer_count++;
	stage.to = (uint8_t)(chain->buffer_count - 1);
	chain->stages[chain->stage_count++] = stage;
	return stage.to;
}

enum status chain_take(const struct library_use *use, struct chain *chain, uint64_t whole,
	struct chain_input input, struct text *why)
{
	ensure(chain->input_count < CHAIN_INPUTS, "more inputs than a chain has");
	chain->inputs[chain->input_count] = input;
	return parts_check_tiles(use, chain->input_count++, input.name, whole, why);
}

uint8_t chain_take_mask(struct chain *chain)
{
	ensure(chain->input_count < CHAIN_INPUTS, "more inputs than a chain has");
	chain->inputs[chain->input_count] =
		(struct chain_input){.name = "mask", .tiles = 1, .kept = true, .mask = true};
	return (uint8_t)chain->input_count++;
}

uint32_t chain_output(const struct chain *chain)
{
	uint32_t ports = chain->input_count;

	while (ports > 0 && chain->inputs[ports - 1].mask)
		ports--;
	return ports;
}

void chain_then(struct chain *chain, enum kernel_opcode opcode, uint32_t value)
{
	struct chain_stage *stage = &chain->stages[chain->stage_count - 1];

	ensure(stage->later_count < CHAIN_LATER, "more operations than a stage has");
	stage->later[stage->later_count++] = (struct chain_vector){opcode, value};
}

void chain_then_float(struct chain *chain, enum kernel_opcode opcode, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	chain_then(chain, opcode, bits);
}

uint32_t chain_tiles(const struct chain *chain, uint32_t buffer)
{
	uint32_t tiles = buffer < chain->input_count ? chain->inputs[buffer].tiles : 0;

	for (uint32_t i = 0; i < chain->stage_count; i++)
		if (chain->stages[i].to == buffer)
			tiles += chain->stages[i].results;
	return tiles;
}

bool chain_is_output(const struct chain *chain, uint32_t buffer)
{
	return buffer == chain->buffer_count - 1;
}

enum element chain_element(
	const struct library_use *use, const struct chain *chain, uint32_t buffer)
{
	return buffer < chain_output(chain) || chain_is_output(chain, buffer) ? use->element
									      : chain->inside;
}

bool chain_is_kept(const struct chain *chain, uint32_t buffer)
{
	return buffer < chain->input_count && chain->inputs[buffer].kept;
}

/* ---- numbers that vary between groups ---- */

/* Begins the walk over groups, and computes the share of each group. */
void chain_groups_begin(struct parts *parts, const struct chain *chain)
{
	parts_walk(parts, chain->groups);
	if (chain->rising == 0)
		return;
	kernel_text_add(&parts->text, KERNEL_REMAINDER, SHARE, WALK_NUMBER, 0, chain->rising);
	kernel_text_add(&parts->text, KERNEL_ADD, SHARE, SHARE, 0, chain->least);
}

/* Sets a register to `fixed`, or to a number that varies with the group. */
void chain_set_varying(
	struct kernel_text *text, uint8_t to, uint32_t fixed, struct chain_varying varying)
{
	if (varying.times == 0) {
		kernel_text_set(text, to, fixed);
		return;
	}
	kernel_text_add(text, KERNEL_MULTIPLY, to, SHARE, 0, varying.times);
	kernel_text_add(text, KERNEL_SUBTRACT, to, to, 0, varying.less);
}

struct chain_loop chain_varying_begin(struct kernel_text *text, uint8_t counter, uint8_t limit,
	uint32_t fixed, struct chain_varying varying)
{
	struct chain_loop loop = {counter, limit, 0, 0, varying.times > 0};

	kernel_text_set(text, counter, 0);
	chain_set_varying(text, limit, fixed, varying);
	if (loop.guarded) {
		loop.out = kernel_text_label(text);
		kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, counter, limit, loop.out);
	}
	loop.again = kernel_text_here(text);
	return loop;
}

void chain_varying_end(struct kernel_text *text, const struct chain_loop *loop)
{
	loop_end(text, loop->counter, loop->limit, loop->again);
	if (loop->guarded)
		kernel_text_place(text, loop->out);
}
