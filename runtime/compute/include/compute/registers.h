/* The destination registers of a worker's matrix and vector units. A register holds one tile.
 * Results are computed in registers, and sums accumulate there, until the results are packed into
 * memory. The number of registers depends on the machine, so the caller chooses the number. struct
 * compute_registers does not own its memory. Registers can be f32 or bf16. */
#ifndef COMPUTE_REGISTERS_H
#define COMPUTE_REGISTERS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "layout/element.h"

/* A tile in memory: 32 x 32 elements as four faces of 16 x 16, one after the other (top left, top
 * right, bottom left, bottom right). Each face is stored row by row. The element types f32 and bf16
 * and the block formats bfp_bf8 and bfp_bf4 are supported. In a block format, the exponents come
 * first, one for each row of a face. The assertion below is the only check that the compiler's
 * float type is suitable. */

enum {
	COMPUTE_FACE = 16,
	COMPUTE_FACE_ELEMENTS = COMPUTE_FACE * COMPUTE_FACE,
	COMPUTE_SIDE = 2 * COMPUTE_FACE,
	COMPUTE_ELEMENTS = COMPUTE_SIDE * COMPUTE_SIDE
};

/* Some compilers set FLT_EVAL_METHOD to 16 if the machine has arithmetic for a type shorter than
 * float. For float, 16 means the same as 0. */
_Static_assert(
	sizeof(float) == 4 && FLT_MANT_DIG == 24 && (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16),
	"results are the same bytes only where a float is rounded to a float at once");

/* A tile in the caller's memory. `bytes` points to element_tile_bytes() bytes, aligned to 2. */
struct compute_tile {
	enum element element;
	const void *bytes;
};

/* compute_has() returns true if registers can have this element type (f32 or bf16). compute_packs()
 * returns true if tiles in memory can have this element type (f32, bf16, bfp_bf8 or bfp_bf4). */
bool compute_has(enum element element);
bool compute_packs(enum element element);

/* Returns the index, in the tile's memory, of the element at this row and column. `row` and
 * `column` must be below COMPUTE_SIDE. */
static inline uint32_t compute_place(uint32_t row, uint32_t column)
{
	uint32_t face = row / COMPUTE_FACE * 2 + column / COMPUTE_FACE;

	return face * COMPUTE_FACE_ELEMENTS + row % COMPUTE_FACE * COMPUTE_FACE +
	       column % COMPUTE_FACE;
}

/* Converts the tile to COMPUTE_ELEMENTS floats, in the order in which the elements lie in the tile.
 * The conversion is exact. */
void compute_load(const struct compute_tile *tile, float *floats);

/* Converts floats to a tile of type `element` in `out`, which must have the size and alignment of
 * such a tile. Values are rounded to nearest, ties to even. In a block format, the precision of a
 * value depends on the largest value of its block (layout/data/convert.h), and infinities and NaN
 * become ordinary numbers. For f32 and bf16, every NaN is stored as 0x7fc00000 or 0x7fc0, that is,
 * without sign and payload, because machines differ in the NaN that an operation returns. */
void compute_store(const float *floats, enum element element, void *out);

/* The registers. `element` is the precision of a register. With ELEMENT_F32, values are not rounded
 * after an operation. With ELEMENT_BF16, every operation rounds the values that it writes, as
 * compute_store() does, so long sums lose more precision. Hardware has twice as many registers with
 * bf16 as with f32. */
struct compute_registers {
	float *values; /* tile by tile; the values of a tile are in the order of compute_place() */
	uint32_t tiles;
	enum element element;
};

/* Returns the size in bytes of the memory that compute_registers_init() needs for `tiles` tiles. */
uint64_t compute_registers_bytes(uint32_t tiles);

/* Initializes registers in `memory`, which must be aligned for floats, and sets all values to 0. No
 * cleanup is needed. `element` must be a type for which compute_has() returns true. */
void compute_registers_init(
	struct compute_registers *registers, uint32_t tiles, enum element element, void *memory);

/* Checks the arguments of an operation, for callers that have not checked them. Returns OK. Returns
 * INVALID, with a reason in `why`, if there is no register `index`, or if compute_packs() returns
 * false for `element`. Every operation asserts that its own arguments are valid in this sense. */
enum status compute_check(const struct compute_registers *registers, uint32_t index,
	enum element element, struct text *why);

/* Sets every value of register `index` to `value`. Use 0 before sums, -INFINITY before maxima. */
void compute_clear(struct compute_registers *registers, uint32_t index, float value);

/* Packs register `from` into `out` as a tile of `element`, see compute_store(). */
void compute_pack(
	const struct compute_registers *registers, uint32_t from, enum element element, void *out);

/* The functions below access a register or round its contents. Only for files of this folder. */

/* Returns the values of register `index`. Asserts that the register exists. */
float *registers_at(const struct compute_registers *registers, uint32_t index);

/* Rounds `count` values to the precision of the registers. */
void registers_round(const struct compute_registers *registers, float *values, uint32_t count);

/* Transposes a tile's values. */
void registers_turn(const float *values, float *out);

#endif
