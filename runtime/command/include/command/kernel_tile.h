/* Instructions on tiles of 32x32 (command/instructions.def): what their operands are, and how the
 * processors of a core share the work. Computes nothing.
 *
 * Three kernels, not one. A core has one matrix unit. TRISC0 unpacks tiles from circular buffers
 * into its source registers, TRISC1 computes from these into destination registers, TRISC2 packs
 * these into circular buffers. Each is a kernel with instructions of its own, and refused
 * elsewhere; so the three overlap, as far as registers allow:
 *
 * Sources: left and right, each two deep. Unpacking waits until one is free, and fills it; an
 * instruction that computes waits until those that it needs are filled (copy, reduce: left; add,
 * multiply, matmul: both), and frees them.
 *
 * Destinations: two halves, so that one is packed while the other is computed on. TRISC1 acquires a
 * half (all zero), computes, and commits it; TRISC2 awaits it, packs, and releases it. A half has
 * half of `tile_registers` (firmware/core/limits.def), if they hold bf16, and of f32 half as many
 * again. With bf16 every result is rounded when it is written (compute/registers.h).
 *
 * Pages. A tile is a page of a circular buffer: faces of 16x16 one after the other
 * (compute/tile.h). Where pages are rows of a matrix instead, a tile is cut out of up to 32
 * of them, or put into them. Waiting for pages (await, reserve) and handing them on (push, pop)
 * is the kernels' affair; a page that was not pushed, or is not free, is a fault.
 *
 * Values and the order of sums are those of compute/operations.h, in both worlds. A result of tiles
 * that are not simulated is not simulated either, and takes as long. */
#ifndef COMMAND_KERNEL_TILE_H
#define COMMAND_KERNEL_TILE_H

#include <stdint.h>

enum {
	KERNEL_DESTINATIONS = 16, /* of a half, at most: how many there are is the machine's */
	KERNEL_TILE_SIDE = 32,
	KERNEL_SOURCE_DEPTH = 2
};

enum kernel_element { KERNEL_F32, KERNEL_BF16, KERNEL_ELEMENTS };

enum kernel_source { KERNEL_LEFT, KERNEL_RIGHT, KERNEL_SOURCES };

/* What of the right source stands for all (enum compute_broadcast). */
enum kernel_broadcast { KERNEL_EACH, KERNEL_ROW, KERNEL_COLUMN, KERNEL_SCALAR, KERNEL_BROADCASTS };

/* What becomes one (enum compute_along), and how. */
enum kernel_along { KERNEL_ALONG_ROWS, KERNEL_ALONG_COLUMNS, KERNEL_ALONG_BOTH, KERNEL_ALONGS };

enum kernel_reduction { KERNEL_SUM, KERNEL_MAX, KERNEL_REDUCTIONS };

/* Immediate of TILE_PACK and TILE_PACK_ROWS: which destination, and as what it is written. */
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

/* Bytes of an element. */
static inline uint32_t kernel_element_bytes(enum kernel_element element)
{
	return element == KERNEL_F32 ? 4 : 2;
}

#endif
