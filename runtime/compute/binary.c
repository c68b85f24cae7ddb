/* Element-by-element operations on two tiles. If the second tile is broadcast, it is first expanded
 * to a whole tile. */
#include <string.h>

#include "base/ensure.h"
#include "compute/operations.h"
#include "compute/registers.h"

static void spread_row(const float *values, float *out)
{
	for (uint32_t row = 0; row < COMPUTE_SIDE; row++)
		for (uint32_t left = 0; left < COMPUTE_SIDE; left += COMPUTE_FACE)
			memcpy(out + compute_place(row, left), values + compute_place(0, left),
				COMPUTE_FACE * sizeof *out);
}

/* Fills each row with the first value of the row. If `first` is set, fills the whole tile with the
 * first value of the tile. */
static void spread_column(const float *values, bool first, float *out)
{
	for (uint32_t row = 0; row < COMPUTE_SIDE; row++) {
		float value = values[first ? 0 : compute_place(row, 0)];
		float *left = out + compute_place(row, 0);
		float *right = out + compute_place(row, COMPUTE_FACE);

		for (uint32_t i = 0; i < COMPUTE_FACE; i++)
			left[i] = right[i] = value;
	}
}

static void binary_apply(
	enum compute_binary op, const float *left, const float *right, float *result)
{
	switch (op) {
	case COMPUTE_ADD:
		for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
			result[i] = left[i] + right[i];
		break;
	case COMPUTE_SUBTRACT:
		for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
			result[i] = left[i] - right[i];
		break;
	case COMPUTE_MULTIPLY:
		for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
			result[i] = left[i] * right[i];
		break;
	default:
		ensure(false, "operation %d", (int)op);
	}
}

void compute_binary(struct compute_registers *registers, uint32_t to, enum compute_binary op,
	const struct compute_tile *left, const struct compute_tile *right,
	enum compute_broadcast broadcast)
{
	float *result = registers_at(registers, to);
	float lefts[COMPUTE_ELEMENTS], rights[COMPUTE_ELEMENTS], all[COMPUTE_ELEMENTS];
	const float *second = broadcast == COMPUTE_EACH ? rights : all;

	ensure(broadcast < COMPUTE_BROADCAST_COUNT, "broadcast %d", (int)broadcast);
	compute_load(left, lefts);
	compute_load(right, rights);
	if (broadcast == COMPUTE_ROW)
		spread_row(rights, all);
	else if (broadcast != COMPUTE_EACH)
		spread_column(rights, broadcast == COMPUTE_SCALAR, all);
	binary_apply(op, lefts, second, result);
	registers_round(registers, result, COMPUTE_ELEMENTS);
}
