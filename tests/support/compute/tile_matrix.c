/* Tiles as matrices (see tile_matrix.h). */
#include "tile_matrix.h"

#include <math.h>
#include <string.h>

float bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

float nearest_bf16(float value)
{
	int exponent;
	double fraction = frexp((double)value, &exponent);

	if (exponent < -125) /* denormal: units of 2^-133 */
		return (float)ldexp(nearbyint(ldexp((double)value, 133)), -133);
	return (float)ldexp(nearbyint(ldexp(fraction, 8)), exponent - 8);
}

void matrix_random(struct stream *stream, enum element element, struct tile_matrix *out)
{
	for (int row = 0; row < 32; row++)
		for (int column = 0; column < 32; column++) {
			int power = (int)stream_below(stream, 10) - 5;
			float value = ldexpf(1 + (float)stream_unit(stream), power);

			value = element == ELEMENT_BF16 ? nearest_bf16(value) : value;
			out->at[row][column] = stream_below(stream, 2) ? -value : value;
		}
}

void matrix_random_integers(struct stream *stream, int limit, struct tile_matrix *out)
{
	uint64_t bound = 2 * (uint64_t)limit + 1;

	for (int row = 0; row < 32; row++)
		for (int column = 0; column < 32; column++)
			out->at[row][column] = (float)((int)stream_below(stream, bound) - limit);
}

/* The index of an element in a tile. */
static int place(int row, int column)
{
	int face = (row >= 16 ? 2 : 0) + (column >= 16 ? 1 : 0);

	return face * 256 + row % 16 * 16 + column % 16;
}

void matrix_to_tile(const struct tile_matrix *matrix, enum element element, struct tile_bytes *out)
{
	for (int row = 0; row < 32; row++)
		for (int column = 0; column < 32; column++) {
			uint32_t bits = float_bits(matrix->at[row][column]);
			uint16_t half = (uint16_t)(bits >> 16);

			if (element == ELEMENT_F32)
				memcpy(out->bytes + 4 * place(row, column), &bits, 4);
			else
				memcpy(out->bytes + 2 * place(row, column), &half, 2);
		}
	out->tile = (struct compute_tile){element, out->bytes};
}

void matrix_of_register(
	const struct compute_registers *registers, uint32_t index, struct tile_matrix *out)
{
	float packed[1024];

	compute_pack(registers, index, ELEMENT_F32, packed);
	for (int row = 0; row < 32; row++)
		for (int column = 0; column < 32; column++)
			out->at[row][column] = packed[place(row, column)];
}
