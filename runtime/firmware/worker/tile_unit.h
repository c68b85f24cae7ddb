/* The matrix unit of a core (command/kernel_tile.h): what its source and destination registers
 * hold. Knows no instruction, no word and no wait; destination registers have memory only while
 * they are in use. Private to the room. */
#ifndef FIRMWARE_WORKER_TILE_UNIT_H
#define FIRMWARE_WORKER_TILE_UNIT_H

#include "base/extent.h"
#include "command/kernel_tile.h"
#include "compute/operations.h"

struct tile_block;

/* Memory of destination registers that nobody uses, one such list for all workers of a chip. All
 * zeros is empty. */
struct tile_pool {
	struct tile_block *free;
};

void tile_pool_fini(struct tile_pool *pool);

/* A tile as unpacked: without gaps. */
struct tile_source {
	struct span span;
	enum element element;
};

struct tile_half {
	enum element element;
	uint32_t elided; /* bit i: values of register i are not simulated */
	struct tile_block *registers[KERNEL_DESTINATIONS]; /* NULL: all zero */
};

struct tile_unit {
	struct tile_pool *pool;
	struct tile_source sources[KERNEL_SOURCES][KERNEL_SOURCE_DEPTH];
	struct tile_half halves[2];
	uint32_t acquired, awaited; /* halves of this launch */
	bool computes, packs;	    /* TRISC1 and TRISC2 hold one */
};

/* Elements as instructions name them. */
enum element tile_element(enum kernel_element element);

/* A unit of which nothing holds anything. Never NULL. */
struct tile_unit *tile_unit_new(struct tile_pool *pool);

/* NULL is allowed. */
void tile_unit_free(struct tile_unit *unit);

/* Lets go of everything that it holds. */
void tile_unit_reset(struct tile_unit *unit);

/* Takes over the span's reference. */
void tile_unit_fill(struct tile_unit *unit, enum kernel_source source, uint32_t bank,
	struct span span, enum element element);
void tile_unit_drop(struct tile_unit *unit, enum kernel_source source, uint32_t bank);

/* All registers of the half are zero and hold that element. */
void tile_unit_clear(struct tile_unit *unit, uint32_t half, enum element element);

/* What to compute; the sources are those that it needs, the other one is not looked at. */
struct tile_task {
	const struct kernel_instruction *instruction;
	const struct tile_source *left, *right;
};

/* Register instruction->a of the half becomes what the instruction makes of it. */
void tile_unit_compute(struct tile_unit *unit, uint32_t half, const struct tile_task *task);

/* The register as a tile of `element`, with a reference for the caller. */
struct span tile_unit_pack(
	struct tile_unit *unit, uint32_t half, uint32_t number, enum element element);

#endif
