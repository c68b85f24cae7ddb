/* Destination registers, see compute/registers.h. All values are stored as floats. If the registers
 * are bf16, values are rounded to bf16 when they are written. */
#include "compute/registers.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "layout/data/convert.h"

uint64_t compute_registers_bytes(uint32_t tiles)
{
	return (uint64_t)tiles * COMPUTE_ELEMENTS * sizeof(float);
}

void compute_registers_init(
	struct compute_registers *registers, uint32_t tiles, enum element element, void *memory)
{
	ensure(compute_has(element), "registers of %s", element_name(element));
	*registers = (struct compute_registers){memory, tiles, element};
	memset(memory, 0, compute_registers_bytes(tiles));
}

enum status compute_check(const struct compute_registers *registers, uint32_t index,
	enum element element, struct text *why)
{
	if (index >= registers->tiles)
		return refuse(why, STATUS_INVALID, "destination register %u of %u", index,
			registers->tiles);
	if (!compute_packs(element))
		return refuse(why, STATUS_INVALID,
			"arithmetic on %s: f32, bf16, bfp_bf8 and bfp_bf4 have it",
			element_name(element));
	return STATUS_OK;
}

float *registers_at(const struct compute_registers *registers, uint32_t index)
{
	ensure(index < registers->tiles, "destination register %u of %u", index, registers->tiles);
	return registers->values + (uint64_t)index * COMPUTE_ELEMENTS;
}

void registers_round(const struct compute_registers *registers, float *values, uint32_t count)
{
	if (registers->element == ELEMENT_BF16)
		convert_round_to_bf16(values, count);
}

static void turn_face(const float *values, float *out)
{
	for (uint32_t row = 0; row < COMPUTE_FACE; row++)
		for (uint32_t column = 0; column < COMPUTE_FACE; column++)
			out[row * COMPUTE_FACE + column] = values[column * COMPUTE_FACE + row];
}

void registers_turn(const float *values, float *out)
{
	for (uint32_t row = 0; row < COMPUTE_SIDE; row += COMPUTE_FACE)
		for (uint32_t column = 0; column < COMPUTE_SIDE; column += COMPUTE_FACE)
			turn_face(values + compute_place(column, row),
				out + compute_place(row, column));
}

void compute_clear(struct compute_registers *registers, uint32_t index, float value)
{
	float *values = registers_at(registers, index);

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
		values[i] = value;
	registers_round(registers, values, COMPUTE_ELEMENTS);
}

void compute_pack(
	const struct compute_registers *registers, uint32_t from, enum element element, void *out)
{
	compute_store(registers_at(registers, from), element, out);
}
