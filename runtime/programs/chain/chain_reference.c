/* Computes on the host what the kernels of a chain compute, stage by stage (chain.h). The
 * arithmetic is implemented here a second time, on rows and columns of floats, from the definitions
 * in compute/operations.h. So if cores execute another operation than the stage describes, the
 * results differ. Only conversions and functions of one value are shared with runtime/compute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "chain.h"
#include "compute/operations.h"

enum { SIDE = KERNEL_TILE_SIDE, HALF = SIDE / 2 };

/* The values of a tile, by row and column. */
struct grid {
	float at[SIDE][SIDE];
};

/* The tiles in every circular buffer, for the group that is being computed. */
struct held {
	const struct library_use *use;
	const struct chain *chain;
	uint8_t *tiles[CHAIN_INPUTS + CHAIN_STAGES];
	uint32_t group;
};

static uint32_t held_bytes(const struct held *held, uint32_t buffer)
{
	return element_tile_bytes(chain_element(held->use, held->chain, buffer), SIDE, SIDE);
}

static uint8_t *held_at(const struct held *held, uint32_t buffer, uint32_t tile)
{
	return held->tiles[buffer] + (uint64_t)tile * held_bytes(held, buffer);
}

static uint32_t varying_of(const struct held *held, uint32_t fixed, struct chain_varying varying)
{
	const struct chain *chain = held->chain;

	if (varying.times == 0)
		return fixed;
	return (held->group % chain->rising + chain->least) * varying.times - varying.less;
}

/* ---- tiles ---- */

static void grid_load(const struct held *held, uint32_t buffer, uint32_t tile, struct grid *grid)
{
	struct compute_tile from = {
		chain_element(held->use, held->chain, buffer), held_at(held, buffer, tile)};
	float floats[SIDE * SIDE];

	compute_load(&from, floats);
	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++)
			grid->at[row][column] = floats[compute_place(row, column)];
}

static void grid_store(
	const struct held *held, const struct grid *grid, uint32_t buffer, uint32_t tile)
{
	float floats[SIDE * SIDE];

	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++)
			floats[compute_place(row, column)] = grid->at[row][column];
	compute_store(
		floats, chain_element(held->use, held->chain, buffer), held_at(held, buffer, tile));
}

/* Rounds to bf16 if registers are bf16: to nearest, ties to even. */
static float chain_rounded(const struct held *held, float value)
{
	uint32_t bits;

	if (held->chain->inside != ELEMENT_BF16 || isnan(value))
		return value;
	memcpy(&bits, &value, sizeof bits);
	bits += 0x7fff + (bits >> 16 & 1);
	bits &= 0xffff0000;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void grid_round(const struct held *held, struct grid *grid)
{
	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++)
			grid->at[row][column] = chain_rounded(held, grid->at[row][column]);
}

/* ---- operations ---- */

static float right_of(const struct grid *right, uint8_t spread, uint32_t row, uint32_t column)
{
	switch (spread) {
	case KERNEL_ROW:
		return right->at[0][column];
	case KERNEL_COLUMN:
		return right->at[row][0];
	case KERNEL_SCALAR:
		return right->at[0][0];
	default:
		return right->at[row][column];
	}
}

static void binary(const struct chain_stage *stage, const struct grid *left,
	const struct grid *right, struct grid *to)
{
	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++) {
			float a = left->at[row][column];
			float b = right_of(right, stage->b, row, column);

			to->at[row][column] = stage->opcode == KERNEL_TILE_ADD	      ? a + b
					      : stage->opcode == KERNEL_TILE_SUBTRACT ? a - b
										      : a * b;
		}
}

/* Adds the products for k in ascending order, and rounds after each half of them. */
static void multiply(
	const struct held *held, const struct grid *left, const struct grid *right, struct grid *to)
{
	for (uint32_t half = 0; half < SIDE; half += HALF) {
		for (uint32_t row = 0; row < SIDE; row++)
			for (uint32_t k = half; k < half + HALF; k++)
				for (uint32_t column = 0; column < SIDE; column++)
					to->at[row][column] +=
						left->at[row][k] * right->at[k][column];
		grid_round(held, to);
	}
}

/* Returns the larger value. NaN counts as the largest value, and 0 as larger than -0. */
static float above(float a, float b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? a : b;
	if (a == b)
		return signbit(a) ? b : a;
	return a > b ? a : b;
}

/* Reduces each row of `left` from left to right, and then combines the result with the previous
 * value in column 0 of `to`. The result goes to column 0; the other columns become 0. */
static void reduce_rows(const struct chain_stage *stage, const struct grid *left, struct grid *to)
{
	bool most = stage->c == KERNEL_MAX;

	ensure(stage->b == KERNEL_ALONG_ROWS, "chains reduce rows");
	for (uint32_t row = 0; row < SIDE; row++) {
		float value = left->at[row][0], before = to->at[row][0];

		for (uint32_t column = 1; column < SIDE; column++) {
			float next = left->at[row][column];

			value = most ? above(value, next) : value + next;
		}
		memset(to->at[row], 0, sizeof to->at[row]);
		to->at[row][0] = most ? above(before, value) : before + value;
	}
}

static void apply(const struct held *held, const struct chain_stage *stage, const struct grid *left,
	const struct grid *right, struct grid *to)
{
	switch (stage->opcode) {
	case KERNEL_TILE_COPY:
		*to = *left;
		break;
	case KERNEL_TILE_TRANSPOSE:
		for (uint32_t row = 0; row < SIDE; row++)
			for (uint32_t column = 0; column < SIDE; column++)
				to->at[row][column] = left->at[column][row];
		break;
	case KERNEL_TILE_ADD:
	case KERNEL_TILE_SUBTRACT:
	case KERNEL_TILE_MULTIPLY:
		binary(stage, left, right, to);
		break;
	case KERNEL_TILE_MATMUL:
		multiply(held, left, right, to);
		break;
	default:
		ensure(stage->opcode == KERNEL_TILE_REDUCE, "chains have no such stage");
		reduce_rows(stage, left, to);
		break;
	}
	grid_round(held, to);
}

static enum compute_unary function_of(uint32_t function)
{
	switch (function) {
	case KERNEL_EXP:
		return COMPUTE_EXP;
	case KERNEL_RECIPROCAL:
		return COMPUTE_RECIPROCAL;
	case KERNEL_SQRT:
		return COMPUTE_SQRT;
	case KERNEL_GELU:
		return COMPUTE_GELU;
	case KERNEL_SILU:
		return COMPUTE_SILU;
	default:
		ensure(function == KERNEL_TANH, "chains have no such function");
		return COMPUTE_TANH;
	}
}

static void vector(const struct held *held, const struct chain_vector *later, struct grid *to)
{
	struct compute_registers registers = {&to->at[0][0], 1, ELEMENT_F32};
	float value;

	memcpy(&value, &later->value, sizeof value);
	if (later->opcode ==
		/* applied to each value separately, so the order of values does not matter */
		KERNEL_TILE_FUNCTION)
		compute_unary(&registers, 0, function_of(later->value));
	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++) {
			if (later->opcode == KERNEL_TILE_SCALE)
				to->at[row][column] *= value;
			else if (later->opcode == KERNEL_TILE_OFFSET)
				to->at[row][column] += value;
		}
	grid_round(held, to);
}

/* ---- stages ---- */

static void operand_load(const struct held *held, const struct chain_operand *operand,
	uint32_t result, uint32_t inner, struct grid *grid)
{
	uint32_t tile = varying_of(held, operand->first, operand->first_of) +
			result * operand->by_result + inner * operand->by_inner;

	grid_load(held, operand->buffer, tile, grid);
}

/* Computes a stage, and packs its results into its buffer, beginning at tile `first`. Returns the
 * number of results. */
static uint32_t held_stage(struct held *held, const struct chain_stage *stage, uint32_t first)
{
	bool most = stage->opcode == KERNEL_TILE_REDUCE && stage->c == KERNEL_MAX;
	uint32_t results = varying_of(held, stage->results, stage->results_of);
	uint32_t inners = varying_of(held, stage->inner, stage->inner_of);

	for (uint32_t result = 0; result < results; result++) {
		struct grid left, right = {{{0}}}, to = {{{0}}};

		for (uint32_t row = 0; row < SIDE && most; row++)
			to.at[row][0] = -INFINITY;
		for (uint32_t inner = 0; inner < inners; inner++) {
			operand_load(held, &stage->left, result, inner, &left);
			if (chain_takes_right(stage))
				operand_load(held, &stage->right, result, inner, &right);
			apply(held, stage, &left, &right, &to);
		}
		for (uint32_t i = 0; i < stage->later_count; i++)
			vector(held, &stage->later[i], &to);
		grid_store(held, &to, stage->to, first + result);
	}
	return results;
}

static void held_stages(struct held *held)
{
	uint32_t packed = 0;

	for (uint32_t i = 0; i < held->chain->stage_count; i++) {
		const struct chain_stage *stage = &held->chain->stages[i];

		packed = stage->joins ? packed : 0;
		packed += held_stage(held, stage, packed);
	}
}

/* ---- inputs ---- */

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

static void held_mask(const struct held *held, uint32_t buffer)
{
	struct grid grid;

	for (uint32_t row = 0; row < SIDE; row++)
		for (uint32_t column = 0; column < SIDE; column++)
			grid.at[row][column] = column > row ? -INFINITY : 0;
	grid_store(held, &grid, buffer, 0);
}

static void held_read(struct held *held, const struct library_values *values)
{
	for (uint32_t i = 0; i < held->chain->input_count; i++) {
		const struct chain_input *input = &held->chain->inputs[i];
		uint64_t first = first_of(input, held->group);
		uint32_t bytes = held_bytes(held, i);
		uint32_t tiles = varying_of(held, input->tiles, input->read);

		if (input->mask)
			held_mask(held, i);
		if (input->image)
			chain_image_rows(held->use, held->chain, held->group, values->ports[i],
				held->tiles[i]);
		for (uint32_t k = 0; k < tiles && !input->mask && !input->image; k++)
			memcpy(held_at(held, i, k),
				values->ports[i] + (first + (uint64_t)k * input->stride) * bytes,
				bytes);
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
	for (uint32_t i = 0; i < chain.buffer_count; i++) {
		bool image = i < chain.input_count && chain.inputs[i].image;

		held.tiles[i] = allocate(image ? chain_image_tiles(&chain) : chain_tiles(&chain, i),
			held_bytes(&held, i));
	}
	bytes = (uint64_t)chain_tiles(&chain, last) * held_bytes(&held, last);
	for (held.group = 0; held.group < chain.groups; held.group++) {
		held_read(&held, values);
		held_stages(&held);
		memcpy(values->ports[chain_output(&chain)] + held.group * bytes, held.tiles[last],
			bytes);
	}
	for (uint32_t i = 0; i < chain.buffer_count; i++)
		free(held.tiles[i]);
}
