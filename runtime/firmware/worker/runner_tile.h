/* Functions that runner_tile.c and runner_tile_pages.c share. Only for files of this folder. */
#ifndef FIRMWARE_WORKER_RUNNER_TILE_H
#define FIRMWARE_WORKER_RUNNER_TILE_H

#include "runner.h"
#include "tile_unit.h"

/* ---- runner_tile_pages.c ---- */

/* Checks the pages that the instruction accesses. Returns NULL if access is allowed. Otherwise
 * returns the reason: the pages to read were not pushed, the pages to write are not free, or the
 * pages are too small. */
const char *runner_tile_check_pages(
	const struct runner *runner, const struct kernel_instruction *next);

/* Sets *span to the tile that TILE_UNPACK or TILE_UNPACK_ROWS reads, with a reference for the
 * caller. Returns NULL, or the reason why the tile cannot be read. */
const char *runner_tile_read(
	const struct runner *runner, const struct kernel_instruction *next, struct span *span);

/* Writes `packed` to the pages of TILE_PACK or TILE_PACK_ROWS. Returns NULL, or the reason why the
 * write is not allowed. */
const char *runner_tile_write(
	struct runner *runner, const struct kernel_instruction *next, struct span packed);

/* ---- */

static inline bool tile_packs(const struct kernel_instruction *next)
{
	return next->opcode == KERNEL_TILE_PACK || next->opcode == KERNEL_TILE_PACK_ROWS;
}

static inline bool tile_of_rows(const struct kernel_instruction *next)
{
	return next->opcode == KERNEL_TILE_UNPACK_ROWS || next->opcode == KERNEL_TILE_PACK_ROWS;
}

/* Returns the element type of an instruction that accesses pages. */
static inline enum element tile_element_of(const struct kernel_instruction *next)
{
	uint32_t element =
		tile_packs(next) ? kernel_tile_element(next->immediate) : next->immediate;

	return tile_element((enum kernel_element)element);
}

static inline uint32_t tile_bytes_of(const struct kernel_instruction *next)
{
	return element_tile_bytes(tile_element_of(next), COMPUTE_SIDE, COMPUTE_SIDE);
}

static inline uint32_t runner_count_at(const struct runner *runner, uint32_t word)
{
	return device_row->word(&runner->base.stage, word);
}

#endif
