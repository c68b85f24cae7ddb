/* The destination registers of a worker's matrix and vector units: a few tiles in which results are
 * computed and sums accumulate until they are packed into memory. Their number depends on the
 * machine, so the caller chooses it. Registers do not own memory and hold only f32 and bf16. */
#ifndef COMPUTE_REGISTERS_H
#define COMPUTE_REGISTERS_H

#include "base/status.h"
#include "compute/tile.h"

/* `element` is the precision of a register. ELEMENT_F32 keeps the whole float. With ELEMENT_BF16
 * every operation rounds what it writes, as compute_store() does, so long sums lose more precision.
 * Hardware has twice as many registers in bf16. */
struct compute_registers {
	float *values; /* tile by tile, each in the order given in compute/tile.h */
	uint32_t tiles;
	enum element element;
};

/* The memory that compute_registers_init() needs for `tiles`, in bytes. */
uint64_t compute_registers_bytes(uint32_t tiles);

/* Initializes registers in the caller's memory, which must be aligned for floats, and zeroes them.
 * No cleanup is needed. `element` must support arithmetic (compute_has()). */
void compute_registers_init(
	struct compute_registers *registers, uint32_t tiles, enum element element, void *memory);

/* Checks whether an operation is valid, for callers with unchecked arguments. Returns INVALID, with
 * a reason in `why`, if `index` is not a register or `element` has no arithmetic. Every operation
 * asserts this for its registers and operands. */
enum status compute_check(const struct compute_registers *registers, uint32_t index,
	enum element element, struct text *why);

/* Sets every value of register `index` to `value`: 0 before sums, -INFINITY before maxima. */
void compute_clear(struct compute_registers *registers, uint32_t index, float value);

/* Packs register `from` into memory as a tile of `element`, see compute_store(). */
void compute_pack(
	const struct compute_registers *registers, uint32_t from, enum element element, void *out);

/* Shared parts of compute: how operations access a register and round its contents. */

/* The values of register `index`. Asserts that the register exists. */
float *registers_at(const struct compute_registers *registers, uint32_t index);

/* Rounds `count` values to the precision of the registers. */
void registers_round(const struct compute_registers *registers, float *values, uint32_t count);

/* Transposes a tile's values. */
void registers_turn(const float *values, float *out);

#endif
