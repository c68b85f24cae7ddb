/* The matrix product of two tiles, face by face. Two rows of a face are computed at a time: their
 * 32 sums stay in vector registers for all values of k, so no sum has to be loaded from memory.
 * Each sum is computed in the order documented in compute/operations.h. */
#include <string.h>

#include "compute/operations.h"
#include "compute/registers.h"

/* A vector of 16 bytes. Current machines process at least as many bytes at once. For other
 * machines, the compiler splits the vector. */
typedef float vector_floats __attribute__((vector_size(16)));

enum { LANES = 4, VECTORS = COMPUTE_FACE / LANES };

static vector_floats all(float value)
{
	return (vector_floats){value, value, value, value};
}

/* Adds the matrix product of the faces `left` and `right` to the face `sums`. For each sum, adds 16
 * products one after the other. */
static void multiply_faces(float *sums, const float *left, const float *right)
{
	for (uint32_t row = 0; row < COMPUTE_FACE; row += 2) {
		const float *of_upper = left + row * COMPUTE_FACE,
			    *of_lower = of_upper + COMPUTE_FACE;
		float *at = sums + row * COMPUTE_FACE;
		vector_floats upper[VECTORS], lower[VECTORS];

		memcpy(upper, at, sizeof upper);
		memcpy(lower, at + COMPUTE_FACE, sizeof lower);
		for (uint32_t k = 0; k < COMPUTE_FACE; k++)
			for (uint32_t i = 0; i < VECTORS; i++) {
				vector_floats factors;

				memcpy(&factors, right + k * COMPUTE_FACE + i * LANES,
					sizeof factors);
				upper[i] += all(of_upper[k]) * factors;
				lower[i] += all(of_lower[k]) * factors;
			}
		memcpy(at, upper, sizeof upper);
		memcpy(at + COMPUTE_FACE, lower, sizeof lower);
	}
}

void compute_matmul(struct compute_registers *registers, uint32_t to,
	const struct compute_tile *left, const struct compute_tile *right)
{
	float *result = registers_at(registers, to);
	float lefts[COMPUTE_ELEMENTS], rights[COMPUTE_ELEMENTS];

	compute_load(left, lefts);
	compute_load(right, rights);
	for (uint32_t k = 0; k < COMPUTE_SIDE; k += COMPUTE_FACE) {
		for (uint32_t row = 0; row < COMPUTE_SIDE; row += COMPUTE_FACE)
			for (uint32_t column = 0; column < COMPUTE_SIDE; column += COMPUTE_FACE)
				multiply_faces(result + compute_place(row, column),
					lefts + compute_place(row, k),
					rights + compute_place(k, column));
		registers_round(registers, result, COMPUTE_ELEMENTS);
	}
}
