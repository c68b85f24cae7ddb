/* Copies a tile into a register, either as it is or transposed. */
#include "compute/operations.h"
#include "compute/registers.h"

void compute_copy(struct compute_registers *registers, uint32_t to, const struct compute_tile *tile)
{
	float *result = registers_at(registers, to);

	compute_load(tile, result);
	registers_round(registers, result, COMPUTE_ELEMENTS);
}

void compute_transpose(
	struct compute_registers *registers, uint32_t to, const struct compute_tile *tile)
{
	float *result = registers_at(registers, to), values[COMPUTE_ELEMENTS];

	compute_load(tile, values);
	registers_turn(values, result);
	registers_round(registers, result, COMPUTE_ELEMENTS);
}
