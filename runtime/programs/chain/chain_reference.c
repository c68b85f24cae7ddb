/* Computes on the host what the kernels of a chain leave, stage by stage, see chain.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chain.h"
#include "compute/operations.h"

/* The tiles of every circular buffer, for the group that is computed. */
struct held {
	const struct library_use *use;
	const struct chain *chain;
	uint8_t *tiles[CHAIN_INPUTS + CHAIN_STAGES];
	struct compute_registers registers;
	float memory[COMPUTE_ELEMENTS];
};

static uint32_t held_bytes(const struct held *held, uint32_t buffer)
{
	return element_tile_bytes(
		chain_element(held->use, held->chain, buffer), COMPUTE_SIDE, COMPUTE_SIDE);
}

static uint8_t *held_at(const struct held *held, uint32_t buffer, uint32_t tile)
{
	return held->tiles[buffer] + (uint64_t)tile * held_bytes(held, buffer);
}

static uint64_t first_of(const struct chain_input *input, uint32_t group)
{
	uint64_t first = 0;

	for (int i = 0; i < 2 && !input->kept; i++)
		if (input->first[i].modulus > 0)
			first += (uint64_t)(group / input->first[i].divide %
					    input->first[i].modulus) *
				 input->first[i].multiply;
	return first;
}

static void held_read(struct held *held, const struct library_values *values, uint32_t group)
{
	for (uint32_t i = 0; i < held->chain->input_count; i++) {
		const struct chain_input *input = &held->chain->inputs[i];
		uint64_t first = first_of(input, group);
		uint32_t bytes = held_bytes(held, i);

		for (uint32_t k = 0; k < input->tiles; k++)
			memcpy(held_at(held, i, k),
				values->ports[i] + (first + (uint64_t)k * input->stride) * bytes,
				bytes);
	}
}

static struct compute_tile operand_at(const struct held *held, const struct chain_operand *operand,
	uint32_t result, uint32_t inner)
{
	uint32_t tile = operand->first + result * operand->by_result + inner * operand->by_inner;

	return (struct compute_tile){chain_element(held->use, held->chain, operand->buffer),
		held_at(held, operand->buffer, tile)};
}

static void once(struct held *held, const struct chain_stage *stage,
	const struct compute_tile *left, const struct compute_tile *right)
{
	struct compute_registers *to = &held->registers;
	enum compute_broadcast spread = (enum compute_broadcast)stage->b;

	switch (stage->opcode) {
	case KERNEL_TILE_COPY:
		compute_copy(to, 0, left);
		break;
	case KERNEL_TILE_TRANSPOSE:
		compute_transpose(to, 0, left);
		break;
	case KERNEL_TILE_ADD:
		compute_binary(to, 0, COMPUTE_ADD, left, right, spread);
		break;
	case KERNEL_TILE_SUBTRACT:
		compute_binary(to, 0, COMPUTE_SUBTRACT, left, right, spread);
		break;
	case KERNEL_TILE_MULTIPLY:
		compute_binary(to, 0, COMPUTE_MULTIPLY, left, right, spread);
		break;
	case KERNEL_TILE_MATMUL:
		compute_matmul(to, 0, left, right);
		break;
	default: /* KERNEL_TILE_REDUCE */
		compute_reduce(to, 0, (enum compute_reduction)stage->c,
			(enum compute_along)stage->b, left);
		break;
	}
}

static void vector(struct compute_registers *to, const struct chain_vector *later)
{
	float value;

	memcpy(&value, &later->value, sizeof value);
	if (later->opcode == KERNEL_TILE_FUNCTION)
		compute_unary(to, 0, (enum compute_unary)later->value);
	else if (later->opcode == KERNEL_TILE_SCALE)
		compute_scale(to, 0, value);
	else
		compute_offset(to, 0, value);
}

/* Computes a stage, and packs its results from tile `first` of its buffer on. */
static void held_stage(struct held *held, const struct chain_stage *stage, uint32_t first)
{
	bool most = stage->opcode == KERNEL_TILE_REDUCE && stage->c == KERNEL_MAX;

	for (uint32_t result = 0; result < stage->results; result++) {
		compute_clear(&held->registers, 0, most ? -INFINITY : 0);
		for (uint32_t inner = 0; inner < stage->inner; inner++) {
			struct compute_tile left = operand_at(held, &stage->left, result, inner);
			struct compute_tile right = {0};

			if (chain_takes_right(stage))
				right = operand_at(held, &stage->right, result, inner);
			once(held, stage, &left, &right);
		}
		for (uint32_t i = 0; i < stage->later_count; i++)
			vector(&held->registers, &stage->later[i]);
		compute_pack(&held->registers, 0, chain_element(held->use, held->chain, stage->to),
			held_at(held, stage->to, first + result));
	}
}

static void held_stages(struct held *held)
{
	uint32_t packed = 0;

	for (uint32_t i = 0; i < held->chain->stage_count; i++) {
		const struct chain_stage *stage = &held->chain->stages[i];

		packed = stage->joins ? packed : 0;
		held_stage(held, stage, packed);
		packed += stage->results;
	}
}

void chain_reference(const struct library_use *use, const struct library_values *values,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why))
{
	struct chain chain = {0};
	struct held held = {.use = use, .chain = &chain};
	uint32_t last;
	uint64_t bytes;

	if (make(use, &chain, NULL) != STATUS_OK)
		return;
	last = chain.buffer_count - 1;
	compute_registers_init(&held.registers, 1, chain.inside, held.memory);
	for (uint32_t i = 0; i < chain.buffer_count; i++)
		held.tiles[i] = allocate(chain_tiles(&chain, i), held_bytes(&held, i));
	bytes = (uint64_t)chain_tiles(&chain, last) * held_bytes(&held, last);
	for (uint32_t group = 0; group < chain.groups; group++) {
		held_read(&held, values, group);
		held_stages(&held);
		memcpy(values->ports[chain.input_count] + group * bytes, held.tiles[last], bytes);
	}
	for (uint32_t i = 0; i < chain.buffer_count; i++)
		free(held.tiles[i]);
}
