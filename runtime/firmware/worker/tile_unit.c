/* The matrix unit of a core, see tile_unit.h. runtime/compute implements its operations. */
#include "tile_unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

struct tile_block {
	struct tile_block *next;
	float values[COMPUTE_ELEMENTS];
};

/* The enums of kernel_tile.h and runtime/compute have the same values. */
_Static_assert((int)KERNEL_ROW == (int)COMPUTE_ROW && (int)KERNEL_SCALAR == (int)COMPUTE_SCALAR &&
		       (int)KERNEL_ALONG_BOTH == (int)COMPUTE_ALONG_BOTH &&
		       (int)KERNEL_MAX == (int)COMPUTE_MAX && (int)KERNEL_EXP == (int)COMPUTE_EXP &&
		       (int)KERNEL_TANH == (int)COMPUTE_TANH &&
		       (int)KERNEL_FUNCTIONS == (int)COMPUTE_UNARY_COUNT &&
		       (int)KERNEL_TILE_SIDE == (int)COMPUTE_SIDE,
	"operands are what compute takes");

enum element tile_element(enum kernel_element element)
{
	static const enum element elements[KERNEL_FORMATS] = {[KERNEL_F32] = ELEMENT_F32,
		[KERNEL_BF16] = ELEMENT_BF16,
		[KERNEL_BFP8] = ELEMENT_BFP_BF8,
		[KERNEL_BFP4] = ELEMENT_BFP_BF4};

	return elements[element];
}

/* ---- memory ---- */

void tile_pool_fini(struct tile_pool *pool)
{
	while (pool->free != NULL) {
		struct tile_block *block = pool->free;

		pool->free = block->next;
		free(block);
	}
}

static struct tile_block *block_take(struct tile_pool *pool)
{
	struct tile_block *block = pool->free;

	if (block == NULL)
		return allocate(1, sizeof *block);
	pool->free = block->next;
	memset(block->values, 0, sizeof block->values);
	return block;
}

static void half_empty(struct tile_unit *unit, struct tile_half *half)
{
	for (uint32_t i = 0; i < KERNEL_DESTINATIONS; i++) {
		struct tile_block *block = half->registers[i];

		if (block == NULL)
			continue;
		block->next = unit->pool->free;
		unit->pool->free = block;
		half->registers[i] = NULL;
	}
	half->elided = 0;
}

struct tile_unit *tile_unit_new(struct tile_pool *pool)
{
	struct tile_unit *unit = allocate(1, sizeof *unit);

	unit->pool = pool;
	return unit;
}

void tile_unit_reset(struct tile_unit *unit)
{
	for (uint32_t source = 0; source < KERNEL_SOURCES; source++)
		for (uint32_t bank = 0; bank < KERNEL_SOURCE_DEPTH; bank++)
			tile_unit_drop(unit, (enum kernel_source)source, bank);
	half_empty(unit, &unit->halves[0]);
	half_empty(unit, &unit->halves[1]);
	unit->acquired = unit->awaited = 0;
	unit->computes = unit->packs = false;
}

void tile_unit_free(struct tile_unit *unit)
{
	if (unit == NULL)
		return;
	tile_unit_reset(unit);
	free(unit);
}

/* ---- sources ---- */

void tile_unit_fill(struct tile_unit *unit, enum kernel_source source, uint32_t bank,
	struct span span, enum element element)
{
	tile_unit_drop(unit, source, bank);
	unit->sources[source][bank] = (struct tile_source){span, element};
}

void tile_unit_drop(struct tile_unit *unit, enum kernel_source source, uint32_t bank)
{
	struct tile_source *held = &unit->sources[source][bank];

	span_release(held->span);
	held->span = (struct span){0};
}

/* ---- destinations ---- */

void tile_unit_clear(struct tile_unit *unit, uint32_t half, enum element element)
{
	half_empty(unit, &unit->halves[half]);
	unit->halves[half].element = element;
}

/* Returns one register, in the form that runtime/compute uses. */
static struct compute_registers one_register(
	struct tile_unit *unit, struct tile_half *half, uint32_t number)
{
	if (half->registers[number] == NULL)
		half->registers[number] = block_take(unit->pool);
	return (struct compute_registers){half->registers[number]->values, 1, half->element};
}

/* Copies the bytes of the source for runtime/compute. Returns false if they are not simulated. */
static bool bytes_of(const struct tile_source *source, float *bytes, struct compute_tile *tile)
{
	*tile = (struct compute_tile){source->element, bytes};
	return span_read(source->span, 0, source->span.length, bytes) == STATUS_OK;
}

static enum compute_binary binary_of(enum kernel_opcode opcode)
{
	return opcode == KERNEL_TILE_ADD	? COMPUTE_ADD
	       : opcode == KERNEL_TILE_SUBTRACT ? COMPUTE_SUBTRACT
						: COMPUTE_MULTIPLY;
}

static float float_of(const struct kernel_instruction *instruction)
{
	float value;

	memcpy(&value, &instruction->immediate, sizeof value);
	return value;
}

static void worker_tile_unit_compute(struct compute_registers *to,
	const struct kernel_instruction *instruction, const struct compute_tile *left,
	const struct compute_tile *right)
{
	switch (instruction->opcode) {
	case KERNEL_TILE_COPY:
		compute_copy(to, 0, left);
		break;
	case KERNEL_TILE_TRANSPOSE:
		compute_transpose(to, 0, left);
		break;
	case KERNEL_TILE_ADD:
	case KERNEL_TILE_SUBTRACT:
	case KERNEL_TILE_MULTIPLY:
		compute_binary(to, 0, binary_of(instruction->opcode), left, right,
			(enum compute_broadcast)instruction->b);
		break;
	case KERNEL_TILE_MATMUL:
		compute_matmul(to, 0, left, right);
		break;
	case KERNEL_TILE_REDUCE:
		compute_reduce(to, 0, (enum compute_reduction)instruction->c,
			(enum compute_along)instruction->b, left);
		break;
	case KERNEL_TILE_FUNCTION:
		compute_unary(to, 0, (enum compute_unary)instruction->b);
		break;
	case KERNEL_TILE_SCALE:
		compute_scale(to, 0, float_of(instruction));
		break;
	case KERNEL_TILE_OFFSET:
		compute_offset(to, 0, float_of(instruction));
		break;
	default: /* KERNEL_TILE_CLEAR */
		compute_clear(to, 0, float_of(instruction));
		break;
	}
}

void tile_unit_compute(struct tile_unit *unit, uint32_t half, const struct tile_task *task)
{
	struct tile_half *destinations = &unit->halves[half];
	uint32_t number = task->instruction->a, bit = 1u << number;
	bool grows = tile_in_place(task->instruction->opcode) ||
		     task->instruction->opcode == KERNEL_TILE_MATMUL ||
		     task->instruction->opcode == KERNEL_TILE_REDUCE;
	float lefts[COMPUTE_ELEMENTS], rights[COMPUTE_ELEMENTS];
	struct compute_registers to;
	struct compute_tile left = {0}, right = {0};

	if ((task->left != NULL && !bytes_of(task->left, lefts, &left)) ||
		(task->right != NULL && !bytes_of(task->right, rights, &right))) {
		destinations->elided |= bit;
		return;
	}
	if (grows && (destinations->elided & bit))
		return;
	destinations->elided &= ~bit;
	to = one_register(unit, destinations, number);
	worker_tile_unit_compute(&to, task->instruction, &left, &right);
}

struct span tile_unit_pack(
	struct tile_unit *unit, uint32_t half, uint32_t number, enum element element)
{
	struct tile_half *destinations = &unit->halves[half];
	uint32_t bytes = element_tile_bytes(element, COMPUTE_SIDE, COMPUTE_SIDE);
	float packed[COMPUTE_ELEMENTS];
	struct compute_registers from;

	if (destinations->elided >> number & 1)
		return span_of(extent_new_elided(bytes));
	from = one_register(unit, destinations, number);
	compute_pack(&from, 0, element, packed);
	return span_copy(packed, bytes);
}
