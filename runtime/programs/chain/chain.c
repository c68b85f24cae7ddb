/* Makes the five kernels of a program from the description of a chain, see chain.h. */
#include "chain.h"

#include <string.h>

#include "base/ensure.h"

/* Registers, after those of the walk. */
enum {
	PLACE = WALK_FREE,
	LOCAL = WALK_FREE + 2,
	PAGE,
	TERM,
	DIVISOR,
	COUNT,
	LIMIT,
	RESULT,
	RESULTS,
	LEFT,
	RIGHT,
	LEFT_FIRST,
	RIGHT_FIRST
};

enum { LEAST_BITS = 0xff800000 /* -infinity */ };

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

static bool is_output(const struct chain *chain, uint32_t buffer)
{
	return buffer == chain->buffer_count - 1;
}

enum element chain_element(
	const struct library_use *use, const struct chain *chain, uint32_t buffer)
{
	return buffer < chain->input_count || is_output(chain, buffer) ? use->element
								       : chain->inside;
}

static bool is_kept(const struct chain *chain, uint32_t buffer)
{
	return buffer < chain->input_count && chain->inputs[buffer].kept;
}

/* ---- reader and writer ---- */

/* Sets PAGE to the page of the group's first tile. */
static void first_page(struct kernel_text *text, const struct chain_input *input)
{
	kernel_text_set(text, PAGE, 0);
	for (int i = 0; i < 2 && !input->kept; i++) {
		const struct chain_term *term = &input->first[i];

		if (term->modulus == 0)
			continue;
		kernel_text_add(text, KERNEL_DIVIDE, TERM, WALK_NUMBER, 0, term->divide);
		kernel_text_add(text, KERNEL_REMAINDER, TERM, TERM, 0, term->modulus);
		kernel_text_add(text, KERNEL_MULTIPLY, TERM, TERM, 0, term->multiply);
		kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, TERM, 0);
	}
}

static void read_input(
	struct parts *parts, const struct chain_input *input, uint8_t buffer, uint32_t description)
{
	struct kernel_text *text = &parts->text;
	uint32_t bytes = parts_tile_bytes(parts->use), again;

	first_page(text, input);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, input->tiles);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	again = loop_begin(text, COUNT, LIMIT, input->tiles);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, bytes);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, bytes);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, input->stride);
	loop_end(text, COUNT, LIMIT, again);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, input->tiles);
}

static void chain_add_reader(struct parts *parts, const struct chain *chain)
{
	uint32_t descriptions[CHAIN_INPUTS];

	parts_begin(parts, PROCESSOR_NCRISC);
	for (uint8_t i = 0; i < chain->input_count; i++) {
		descriptions[i] = parts_port(parts, i, chain->inputs[i].name);
		if (chain->inputs[i].kept)
			read_input(parts, &chain->inputs[i], i, descriptions[i]);
	}
	parts_walk(parts, chain->groups);
	for (uint8_t i = 0; i < chain->input_count; i++)
		if (!chain->inputs[i].kept)
			read_input(parts, &chain->inputs[i], i, descriptions[i]);
	parts_walk_end(parts);
	parts_end(parts);
}

static void chain_add_writer(struct parts *parts, const struct chain *chain)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_BRISC);
	uint8_t buffer = (uint8_t)(chain->buffer_count - 1);
	uint32_t tiles = chain_tiles(chain, buffer), description, again;

	description = parts_port(parts, chain->input_count, "to");
	parts_walk(parts, chain->groups);
	kernel_text_add(text, KERNEL_MULTIPLY, PAGE, WALK_NUMBER, 0, tiles);
	again = loop_begin(text, COUNT, LIMIT, tiles);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_add(text, KERNEL_WRITE, LOCAL, PLACE, 0, parts_tile_bytes(parts->use));
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	loop_end(text, COUNT, LIMIT, again);
	parts_walk_end(parts);
	parts_end(parts);
}

/* ---- the processors of tiles ---- */

static void unpack_operand(struct kernel_text *text, const struct chain_operand *operand,
	enum kernel_source source, enum kernel_element element)
{
	uint8_t index = source == KERNEL_LEFT ? LEFT : RIGHT;

	kernel_text_add(text, KERNEL_TILE_UNPACK, operand->buffer, (uint8_t)source, index, element);
	kernel_text_add(text, KERNEL_ADD, index, index, 0, operand->by_inner);
}

static void await_operand(
	struct kernel_text *text, const struct chain *chain, const struct chain_operand *operand)
{
	if (!is_kept(chain, operand->buffer))
		kernel_text_add(text, KERNEL_AWAIT, operand->buffer, 0, 0,
			chain_tiles(chain, operand->buffer));
}

static void pop_operand(
	struct kernel_text *text, const struct chain *chain, const struct chain_operand *operand)
{
	if (operand->last && !is_kept(chain, operand->buffer))
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
	uint32_t again, inner;

	await_operand(text, chain, &stage->left);
	if (right)
		await_operand(text, chain, &stage->right);
	kernel_text_set(text, LEFT_FIRST, stage->left.first);
	kernel_text_set(text, RIGHT_FIRST, stage->right.first);
	again = loop_begin(text, RESULT, RESULTS, stage->results);
	kernel_text_add(text, KERNEL_ADD, LEFT, LEFT_FIRST, 0, 0);
	kernel_text_add(text, KERNEL_ADD, RIGHT, RIGHT_FIRST, 0, 0);
	inner = loop_begin(text, COUNT, LIMIT, stage->inner);
	unpack_operand(text, &stage->left, KERNEL_LEFT, of_left);
	if (right)
		unpack_operand(text, &stage->right, KERNEL_RIGHT, of_right);
	loop_end(text, COUNT, LIMIT, inner);
	kernel_text_add(text, KERNEL_ADD, LEFT_FIRST, LEFT_FIRST, 0, stage->left.by_result);
	kernel_text_add(text, KERNEL_ADD, RIGHT_FIRST, RIGHT_FIRST, 0, stage->right.by_result);
	loop_end(text, RESULT, RESULTS, again);
	pop_operand(text, chain, &stage->left);
	if (right)
		pop_operand(text, chain, &stage->right);
}

static void compute_stage(
	struct parts *parts, const struct chain *chain, const struct chain_stage *stage)
{
	struct kernel_text *text = &parts->text;
	uint32_t again = loop_begin(text, RESULT, RESULTS, stage->results), inner;

	kernel_text_add(
		text, KERNEL_TILE_ACQUIRE, (uint8_t)parts_kernel_element(chain->inside), 0, 0, 0);
	if (stage->opcode == KERNEL_TILE_REDUCE && stage->c == KERNEL_MAX)
		kernel_text_add(text, KERNEL_TILE_CLEAR, 0, 0, 0, LEAST_BITS);
	inner = loop_begin(text, COUNT, LIMIT, stage->inner);
	kernel_text_add(text, stage->opcode, 0, stage->b, stage->c, 0);
	loop_end(text, COUNT, LIMIT, inner);
	for (uint32_t i = 0; i < stage->later_count; i++) {
		const struct chain_vector *later = &stage->later[i];
		bool function = later->opcode == KERNEL_TILE_FUNCTION;

		kernel_text_add(text, later->opcode, 0, function ? (uint8_t)later->value : 0, 0,
			function ? 0 : later->value);
	}
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	loop_end(text, RESULT, RESULTS, again);
}

static void pack_stage(
	struct parts *parts, const struct chain *chain, uint8_t buffer, uint32_t results)
{
	struct kernel_text *text = &parts->text;
	enum kernel_element element =
		parts_kernel_element(chain_element(parts->use, chain, buffer));
	uint32_t again = loop_begin(text, RESULT, RESULTS, results);

	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_PACK, buffer, 0, 0, kernel_tile_result(0, element));
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
	loop_end(text, RESULT, RESULTS, again);
}

static void chain_add_stages(struct parts *parts, const struct chain *chain, enum processor which)
{
	struct kernel_text *text = parts_begin(parts, which);

	for (uint8_t i = 0; i < chain->input_count && which == PROCESSOR_TRISC0; i++)
		if (chain->inputs[i].kept)
			kernel_text_add(text, KERNEL_AWAIT, i, 0, 0, chain->inputs[i].tiles);
	parts_walk(parts, chain->groups);
	for (uint32_t i = 0; i < chain->stage_count; i++) {
		const struct chain_stage *stage = &chain->stages[i];

		if (which == PROCESSOR_TRISC0)
			unpack_stage(parts, chain, stage);
		else if (which == PROCESSOR_TRISC1)
			compute_stage(parts, chain, stage);
		else
			pack_stage(parts, chain, stage->to, stage->results);
	}
	parts_walk_end(parts);
	parts_end(parts);
}

/* ---- all ---- */

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
		bool moved = i < chain.input_count || is_output(&chain, i);
		uint32_t copies = moved && !is_kept(&chain, i) ? PARTS_BUFFERED : 1;

		parts_circular_buffer(&parts, copies * chain_tiles(&chain, i),
			element_tile_bytes(
				chain_element(use, &chain, i), KERNEL_TILE_SIDE, KERNEL_TILE_SIDE));
	}
	return parts.status;
}
