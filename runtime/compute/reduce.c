/* Reductions of a tile. If each row is to be reduced, the tile is first transposed, and then each
 * column is reduced. So sixteen results are computed in parallel, each in the order documented in
 * compute/operations.h. */
#include <string.h>

#include "base/ensure.h"
#include "compute/operations.h"
#include "compute/registers.h"

enum { INFINITY_BITS = 0x7f800000, NAN_BITS = 0x7fc00000, SIGN_OFF = 0x7fffffff };

/* Returns a number that is larger for larger floats. For reductions, -0 counts as less than 0, and
 * every NaN as greater than infinity. */
static int32_t reduce_rank(float value)
{
	int32_t bits;

	memcpy(&bits, &value, sizeof bits);
	bits = (bits & SIGN_OFF) > INFINITY_BITS ? NAN_BITS : bits;
	return bits ^ (bits >> 31 & SIGN_OFF);
}

static float reduce_larger(float a, float b)
{
	int32_t of_a = reduce_rank(a), of_b = reduce_rank(b), bits = of_a > of_b ? of_a : of_b;
	float value;

	bits ^= bits >> 31 & SIGN_OFF;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Sets values[i] to values[i] op more[i], for each i. */
static void reduce_apply(
	enum compute_reduction op, float *values, const float *more, uint32_t count)
{
	switch (op) {
	case COMPUTE_SUM:
		for (uint32_t i = 0; i < count; i++)
			values[i] += more[i];
		break;
	case COMPUTE_MAX:
		for (uint32_t i = 0; i < count; i++)
			values[i] = reduce_larger(values[i], more[i]);
		break;
	default:
		ensure(false, "reduction %d", (int)op);
	}
}

/* Reduces each column from the top. */
static void along_columns(enum compute_reduction op, const float *values, float *results)
{
	for (uint32_t left = 0; left < COMPUTE_SIDE; left += COMPUTE_FACE) {
		memcpy(results + left, values + compute_place(0, left),
			COMPUTE_FACE * sizeof *values);
		for (uint32_t row = 1; row < COMPUTE_SIDE; row++)
			reduce_apply(op, results + left, values + compute_place(row, left),
				COMPUTE_FACE);
	}
}

/* Computes the results of this tile without the register's values, and returns their number. */
static uint32_t results_of(enum compute_reduction op, enum compute_along along, const float *values,
	float results[COMPUTE_SIDE])
{
	float turned[COMPUTE_ELEMENTS];

	if (along == COMPUTE_ALONG_ROWS) {
		registers_turn(values, turned);
		values = turned;
	}
	along_columns(op, values, results);
	if (along != COMPUTE_ALONG_BOTH)
		return COMPUTE_SIDE;
	for (uint32_t i = 1; i < COMPUTE_SIDE; i++)
		reduce_apply(op, results, results + i, 1);
	return 1;
}

void compute_reduce(struct compute_registers *registers, uint32_t to, enum compute_reduction op,
	enum compute_along along, const struct compute_tile *tile)
{
	float *result = registers_at(registers, to), values[COMPUTE_ELEMENTS];
	float results[COMPUTE_SIDE], grown[COMPUTE_SIDE];
	uint32_t count;

	ensure(along < COMPUTE_ALONG_COUNT, "along %d", (int)along);
	compute_load(tile, values);
	count = results_of(op, along, values, results);
	for (uint32_t i = 0; i < count; i++)
		grown[i] = result[along == COMPUTE_ALONG_ROWS ? compute_place(i, 0)
							      : compute_place(0, i)];
	reduce_apply(op, grown, results, count);
	memset(result, 0, sizeof values);
	for (uint32_t i = 0; i < count; i++)
		result[along == COMPUTE_ALONG_ROWS ? compute_place(i, 0) : compute_place(0, i)] =
			grown[i];
	registers_round(registers, result, COMPUTE_ELEMENTS);
}
