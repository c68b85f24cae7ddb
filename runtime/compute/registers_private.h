/* Inside of compute: how operations get at a register and leave it. */
#ifndef COMPUTE_REGISTERS_PRIVATE_H
#define COMPUTE_REGISTERS_PRIVATE_H

#include "compute/registers.h"

/* The values of register `index`; asserts that it is one. */
float *registers_at(const struct compute_registers *registers, uint32_t index);

/* Leaves in `count` values what a register holds of them. */
void registers_round(const struct compute_registers *registers, float *values, uint32_t count);

/* A tile's values with rows for columns. */
void registers_turn(const float *values, float *out);

#endif
