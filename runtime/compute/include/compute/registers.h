/* The destination registers of a worker's matrix and vector units: a few tiles in which results are
 * made and sums grow until they are packed into memory. How many there are is the machine's and so
 * the caller's business. Refuses to own memory, and to hold anything but f32 and bf16. */
#ifndef COMPUTE_REGISTERS_H
#define COMPUTE_REGISTERS_H

#include "base/status.h"
#include "compute/tile.h"

/* `element` is what a register holds of a value: with ELEMENT_F32 all of a float; with ELEMENT_BF16
 * what is written is rounded as compute_store() does, by each operation, so that long sums lose
 * more. On hardware bf16 registers are twice as many. */
struct compute_registers {
	float *values; /* tile by tile, each in the order of compute/tile.h */
	uint32_t tiles;
	enum element element;
};

/* What compute_registers_init() needs for `tiles`. */
uint64_t compute_registers_bytes(uint32_t tiles);

/* Registers in the caller's memory, aligned as floats are; all zero. There is nothing to end.
 * `element` has arithmetic (compute_has()). */
void compute_registers_init(
	struct compute_registers *registers, uint32_t tiles, enum element element, void *memory);

/* Whether an operation may be asked for, for callers that were told by others: INVALID with why if
 * `index` is not a register's or there is no arithmetic on `element`. Every operation asserts it of
 * its registers and operands. */
enum status compute_check(const struct compute_registers *registers, uint32_t index,
	enum element element, struct text *why);

/* Every value of register `index` becomes `value`: 0 before sums, -INFINITY before maxima. */
void compute_clear(struct compute_registers *registers, uint32_t index, float value);

/* Register `from` as a tile of `element` in memory, see compute_store(). */
void compute_pack(
	const struct compute_registers *registers, uint32_t from, enum element element, void *out);

#endif
