/* Makes the five kernels of a program from the description of a chain; see chain.h. */
#include "chain.h"

#include <string.h>

#include "base/ensure.h"

static bool is_image(const struct chain *chain, uint32_t buffer)
{
	return buffer < chain->input_count && chain->inputs[buffer].image;
}

static void unpack_operand(struct kernel_text *text, const struct chain *chain,
	const struct chain_operand *operand, enum kernel_source source, enum kernel_element element)
{
	uint8_t index = source == KERNEL_LEFT ? LEFT : RIGHT;

	if (is_image(chain, operand->buffer))
		kernel_text_add(
			text, KERNEL_TILE_UNPACK_ROWS, operand->buffer, ROWS, index, element);
	else
		kernel_text_add(
			text, KERNEL_TILE_UNPACK, operand->buffer, (uint8_t)source, index, element);
	kernel_text_add(text, KERNEL_ADD, index, index, 0, operand->by_inner);
}

static void await_operand(
	struct kernel_text *text, const struct chain *chain, const struct chain_operand *operand)
{
	if (!chain_is_kept(chain, operand->buffer))
		kernel_text_add(text, KERNEL_AWAIT, operand->buffer, 0, 0,
			chain_tiles(chain, operand->buffer));
}

static void pop_operand(
	struct kernel_text *text, const struct chain *chain, const struct chain_operand *operand)
{
	if (operand->last && !chain_is_kept(chain, operand->buffer))
		kernel_text_add(text, KERNEL_POP, operand->buffer, 0, 0,
			chain_tiles(chain, operand->buffer));
}

static void unpack_stage(
	struct parts *parts, const struct chain *chain, const struct chain_stage *stage)
{
	struct kernel_text *text = &parts->text;
	bool right = chain_takes_right(stage);
	enum kernel_element of_left =
		parts_kernel_element(chain_element(parts->use, chain, stage->left.buffer));
	enum kernel_element of_right =
		parts_kernel_element(chain_element(parts->use, chain, stage->right.buffer));
	struct chain_loop again, inner;

	await_operand(text, chain, &stage->left);
	if (right)
		await_operand(text, chain, &stage->right);
	chain_set_varying(text, LEFT_FIRST, stage->left.first, stage->left.first_of);
	chain_set_varying(text, RIGHT_FIRST, stage->right.first, stage->right.first_of);
	again = chain_varying_begin(text, RESULT, RESULTS, stage->results, stage->results_of);
	kernel_text_add(text, KERNEL_ADD, LEFT, LEFT_FIRST, 0, 0);
	kernel_text_add(text, KERNEL_ADD, RIGHT, RIGHT_FIRST, 0, 0);
	inner = chain_varying_begin(text, COUNT, LIMIT, stage->inner, stage->inner_of);
	unpack_operand(text, chain, &stage->left, KERNEL_LEFT, of_left);
	if (right)
		unpack_operand(text, chain, &stage->right, KERNEL_RIGHT, of_right);
	chain_varying_end(text, &inner);
	kernel_text_add(text, KERNEL_ADD, LEFT_FIRST, LEFT_FIRST, 0, stage->left.by_result);
	kernel_text_add(text, KERNEL_ADD, RIGHT_FIRST, RIGHT_FIRST, 0, stage->right.by_result);
	chain_varying_end(text, &again);
	pop_operand(text, chain, &stage->left);
	if (right)
		pop_operand(text, chain, &stage->right);
}

static void compute_stage(
	struct parts *parts, const struct chain *chain, const struct chain_stage *stage)
{
	struct kernel_text *text = &parts->text;
	struct chain_loop again, inner;

	again = chain_varying_begin(text, RESULT, RESULTS, stage->results, stage->results_of);
	kernel_text_add(
		text, KERNEL_TILE_ACQUIRE, (uint8_t)parts_kernel_element(chain->inside), 0, 0, 0);
	if (stage->opcode == KERNEL_TILE_REDUCE && stage->c == KERNEL_MAX)
		kernel_text_add(text, KERNEL_TILE_CLEAR, 0, 0, 0, LEAST_BITS);
	inner = chain_varying_begin(text, COUNT, LIMIT, stage->inner, stage->inner_of);
	kernel_text_add(text, stage->opcode, 0, stage->b, stage->c, 0);
	chain_varying_end(text, &inner);
	for (uint32_t i = 0; i < stage->later_count; i++) {
		const struct chain_vector *later = &stage->later[i];
		bool function = later->opcode == KERNEL_TILE_FUNCTION;

		kernel_text_add(text, later->opcode, 0, function ? (uint8_t)later->value : 0, 0,
			function ? 0 : later->value);
	}
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	chain_varying_end(text, &again);
}

/* A group may have fewer results than a buffer has tiles. Appends code that pushes the remaining
 * tiles without writing them. So the next group starts at the beginning of the buffer again. */
static void pack_rest(struct kernel_text *text, const struct chain *chain, uint8_t buffer)
{
	uint32_t times = 0, fixed = 0, out, again;

	for (uint32_t i = 0; i < chain->stage_count; i++) {
		const struct chain_stage *stage = &chain->stages[i];

		if (stage->to != buffer)
			continue;
		times += stage->results_of.times;
		fixed += stage->results_of.times > 0 ? 0 - stage->results_of.less : stage->results;
	}
	if (times == 0)
		return;
	kernel_text_add(text, KERNEL_MULTIPLY, COUNT, SHARE, 0, times);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, fixed);
	kernel_text_set(text, LIMIT, chain_tiles(chain, buffer));
	out = kernel_text_label(text);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, COUNT, LIMIT, out);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
}

/* Packs the results of stage `number`. */
static void pack_stage(struct parts *parts, const struct chain *chain, uint32_t number)
{
	const struct chain_stage *stage = &chain->stages[number];
	struct kernel_text *text = &parts->text;
	uint8_t buffer = stage->to;
	enum kernel_element element =
		parts_kernel_element(chain_element(parts->use, chain, buffer));
	struct chain_loop again;

	again = chain_varying_begin(text, RESULT, RESULTS, stage->results, stage->results_of);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_PACK, buffer, 0, 0, kernel_tile_result(0, element));
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
	chain_varying_end(text, &again);
	if (number + 1 == chain->stage_count || chain->stages[number + 1].to != buffer)
		pack_rest(text, chain, buffer);
}

static void chain_add_stages(struct parts *parts, const struct chain *chain, enum processor which)
{
	struct kernel_text *text = parts_begin(parts, which);

	for (uint8_t i = 0; i < chain->input_count && which == PROCESSOR_TRISC0; i++)
		if (chain->inputs[i].kept)
			kernel_text_add(text, KERNEL_AWAIT, i, 0, 0, chain->inputs[i].tiles);
	chain_groups_begin(parts, chain);
	if (is_image(chain, 0) && which == PROCESSOR_TRISC0)
		chain_image_begin(text, chain);
	for (uint32_t i = 0; i < chain->stage_count; i++) {
		const struct chain_stage *stage = &chain->stages[i];

		if (which == PROCESSOR_TRISC0)
			unpack_stage(parts, chain, stage);
		else if (which == PROCESSOR_TRISC1)
			compute_stage(parts, chain, stage);
		else
			pack_stage(parts, chain, i);
	}
	parts_walk_end(parts);
	parts_end(parts);
}

/* ---- all kernels ---- */

enum status chain_build(struct program *program, const struct library_use *use,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why),
	struct text *why)
{
	struct chain chain = {0};
	enum status status = make(use, &chain, why);
	struct parts parts;

	if (status != STATUS_OK)
		return status;
	parts_init(&parts, program, use, why);
	chain_add_reader(&parts, &chain);
	for (int i = PROCESSOR_TRISC0; i <= PROCESSOR_TRISC2; i++)
		chain_add_stages(&parts, &chain, (enum processor)i);
	chain_add_writer(&parts, &chain);
	for (uint32_t i = 0; i < chain.buffer_count; i++) {
		bool moved = i < chain.input_count || chain_is_output(&chain, i);
		uint32_t copies = moved && !chain_is_kept(&chain, i) ? PARTS_BUFFERED : 1;

		parts_circular_buffer(&parts, copies * chain_tiles(&chain, i),
			is_image(&chain, i) ? chain_image_bytes(use, &chain)
					    : element_tile_bytes(chain_element(use, &chain, i),
						      KERNEL_TILE_SIDE, KERNEL_TILE_SIDE));
	}
	if (is_image(&chain, 0))
		parts_circular_buffer(&parts, 1, chain.image.part_bytes);
	return parts.status;
}
