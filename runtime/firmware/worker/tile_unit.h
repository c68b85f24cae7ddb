/* The matrix unit of a core (command/kernel_tile.h), which holds the contents of the source and
 * destination registers. Destination registers have memory only while they are in use. Only for
 * files of this folder. */
#ifndef FIRMWARE_WORKER_TILE_UNIT_H
#define FIRMWARE_WORKER_TILE_UNIT_H

#include "base/extent.h"
#include "command/kernel_program.h"
#include "command/kernel_tile.h"
#include "compute/operations.h"

struct tile_block;

/* A list of free memory for destination registers, which all workers of a chip share. A list with
 * all bytes 0 is empty. */
struct tile_pool {
	struct tile_block *free;
};

void tile_pool_fini(struct tile_pool *pool);

/* An unpacked tile. Its elements are contiguous. */
struct tile_source {
	struct span span;
	enum element element;
};

struct tile_half {
	enum element element;
	uint32_t elided; /* bit i: the values of register i are not simulated */
	struct tile_block *registers[KERNEL_DESTINATIONS]; /* NULL: all values are zero */
};

struct tile_unit {
	struct tile_pool *pool;
	struct tile_source sources[KERNEL_SOURCES][KERNEL_SOURCE_DEPTH];
	struct tile_half halves[2];
	/* number of halves that were acquired, and that were awaited, in this launch */
	uint32_t acquired, awaited;
	/* TRISC1 holds a half (computes); TRISC2 holds a half (packs) */
	bool computes, packs;
};

/* Converts the element type of an instruction. */
enum element tile_element(enum kernel_element element);

/* Returns true for operations of the vector unit, which change a destination and read no source. */
static inline bool tile_in_place(enum kernel_opcode opcode)
{
	return opcode == KERNEL_TILE_FUNCTION || opcode == KERNEL_TILE_SCALE ||
	       opcode == KERNEL_TILE_OFFSET;
}

/* Creates a unit with empty registers. Never returns NULL. */
struct tile_unit *tile_unit_new(struct tile_pool *pool);

/* Frees the unit. NULL is allowed. */
void tile_unit_free(struct tile_unit *unit);

/* Empties all registers. */
void tile_unit_reset(struct tile_unit *unit);

/* tile_unit_fill() puts a tile into a bank of a source, and takes over the caller's reference to
 * the span. tile_unit_drop() empties a bank. */
void tile_unit_fill(struct tile_unit *unit, enum kernel_source source, uint32_t bank,
	struct span span, enum element element);
void tile_unit_drop(struct tile_unit *unit, enum kernel_source source, uint32_t bank);

/* Sets all registers of the half to zero, and sets their element type. */
void tile_unit_clear(struct tile_unit *unit, uint32_t half, enum element element);

/* An operation. Sources that the operation does not need are ignored. */
struct tile_task {
	const struct kernel_instruction *instruction;
	const struct tile_source *left, *right;
};

/* Stores the result of the instruction in register instruction->a of the half. */
void tile_unit_compute(struct tile_unit *unit, uint32_t half, const struct tile_task *task);

/* Returns the destination register as a tile with elements of type `element`. The caller must
 * release the span. */
struct span tile_unit_pack(
	struct tile_unit *unit, uint32_t half, uint32_t number, enum element element);

#endif
