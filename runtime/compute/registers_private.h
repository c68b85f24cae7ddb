/* Shared parts of compute: how operations access a register and round its contents. */
#ifndef COMPUTE_REGISTERS_PRIVATE_H
#define COMPUTE_REGISTERS_PRIVATE_H

#include "compute/registers.h"

/* The values of register `index`. Asserts that the register exists. */
float *registers_at(const struct compute_registers *registers, uint32_t index);

/* Rounds `count` values to the precision of the registers. */
void registers_round(const struct compute_registers *registers, float *values, uint32_t count);

/* Transposes a tile's values. */
void registers_turn(const float *values, float *out);

#endif
