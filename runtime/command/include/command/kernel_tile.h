/* Instructions on tiles of 32x32 (command/instructions.def): their operands, and how the processors
 * of a core share the work.
 *
 * Three kernels use the one matrix unit of a core. TRISC0 unpacks tiles from circular buffers into
 * source registers. TRISC1 computes from source registers into destination registers. TRISC2 packs
 * destination registers into circular buffers. Each processor runs its own kernel, with
 * instructions that are illegal on the other processors. The work of the three overlaps as far as
 * registers allow:
 *
 * Sources: there are a left and a right source, each with two banks. Unpacking waits until a bank
 * is free, and fills it. A computing instruction waits until the sources that it needs are filled
 * (copy, transpose, reduce: left; add, subtract, multiply, matmul: both), and frees them. The
 * vector unit computes functions in place, so they need no source.
 *
 * Destinations: there are two halves, so that one is packed while the other is computed on. TRISC1
 * acquires a half (all zero), computes, and commits it. TRISC2 awaits the half, packs, and releases
 * it. A half has half of the `tile_registers` (firmware/core/limits.def) if its elements are bf16,
 * and a quarter of them if they are f32. Results in bf16 are rounded when they are written
 * (compute/registers.h).
 *
 * Pages. A tile is a page of a circular buffer, in faces of 16x16 one after the other
 * (compute/registers.h). If pages are rows of a matrix instead, a tile is cut out of up to 32
 * pages, or written into up to 32 pages. Instructions on tiles do not wait for pages and do not
 * pass them on; kernels do this with await and reserve, push and pop. Using a page that was not
 * pushed, or is not free, is a fault.
 *
 * compute/operations.h defines values and the order of sums, for the simulated and the native
 * world. If operands are not simulated, the result is not simulated either; the instruction takes
 * the same time. */
#ifndef COMMAND_KERNEL_TILE_H
#define COMMAND_KERNEL_TILE_H

#include <stdint.h>

enum {
	/* maximum number of registers of a half; the machine decides how many there are */
	KERNEL_DESTINATIONS = 16,
	KERNEL_TILE_SIDE = 32,
	KERNEL_SOURCE_DEPTH = 2
};

/* Element types. The types below KERNEL_ELEMENTS are for registers and for tiles in pages. The
 * other types are block formats, and only for tiles in pages: unpacking converts them to a type of
 * registers. */
enum kernel_element {
	KERNEL_F32,
	KERNEL_BF16,
	KERNEL_ELEMENTS,
	KERNEL_BFP8 = KERNEL_ELEMENTS,
	KERNEL_BFP4,
	KERNEL_FORMATS
};

enum kernel_source { KERNEL_LEFT, KERNEL_RIGHT, KERNEL_SOURCES };

/* Which part of the right source is broadcast: nothing (KERNEL_EACH), a row, a column or an element
 * (enum compute_broadcast). */
enum kernel_broadcast { KERNEL_EACH, KERNEL_ROW, KERNEL_COLUMN, KERNEL_SCALAR, KERNEL_BROADCASTS };

/* A reduction: which elements it combines to one value (enum compute_along), and with which
 * operation. */
enum kernel_along { KERNEL_ALONG_ROWS, KERNEL_ALONG_COLUMNS, KERNEL_ALONG_BOTH, KERNEL_ALONGS };

enum kernel_reduction { KERNEL_SUM, KERNEL_MAX, KERNEL_REDUCTIONS };

/* A function of one value (enum compute_unary), which the vector unit computes. */
enum kernel_function {
	KERNEL_EXP,
	KERNEL_RECIPROCAL,
	KERNEL_SQRT,
	KERNEL_GELU,
	KERNEL_SILU,
	KERNEL_TANH,
	KERNEL_FUNCTIONS
};

/* Returns the immediate of TILE_PACK and TILE_PACK_ROWS, which contains the number of the
 * destination register and the element type to write. */
static inline uint32_t kernel_tile_result(uint32_t destination, enum kernel_element element)
{
	return destination | (uint32_t)element << 8;
}

static inline uint32_t kernel_tile_destination(uint32_t result)
{
	return result & 0xff;
}

static inline uint32_t kernel_tile_element(uint32_t result)
{
	return result >> 8;
}

/* Returns the bytes of a register's element. */
static inline uint32_t kernel_element_bytes(enum kernel_element element)
{
	return element == KERNEL_F32 ? 4 : 2;
}

#endif
