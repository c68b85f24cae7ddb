/* Allocates words, L1 and processors of one dispatch tile, so that several stages can share the
 * tile. Bring-up and tests use it. A plan never frees an allocation. To use parts of a tile again,
 * make a new plan in which only these parts are free. */
#ifndef FIRMWARE_CORE_TILE_PLAN_H
#define FIRMWARE_CORE_TILE_PLAN_H

#include <stdint.h>

#include "base/status.h"
#include "world/device.h"

enum { TILE_PROCESSORS = 5 };

struct tile_plan {
	uint16_t tile;
	uint32_t next_word, word_end; /* addresses in bytes */
	uint32_t next_byte, byte_end;
	uint8_t processors; /* one bit for each processor in use */
	uint8_t processor_end;
};

/* Initializes a plan for a Tensix or Ethernet tile. The whole tile is free, except word 0. An
 * Ethernet tile has one processor. */
void tile_plan_init(struct tile_plan *plan, const struct chip_geometry *geometry, uint16_t tile);

/* Allocates `count` consecutive words, and sets *address to the address of the first. Returns OK,
 * or NO_SPACE if there are not enough free words. */
enum status tile_plan_words(struct tile_plan *plan, uint32_t count, uint32_t *address);

/* Allocates `bytes` bytes of bulk L1, aligned to 64 B, and sets *address to their address. Returns
 * OK or NO_SPACE. */
enum status tile_plan_bytes(struct tile_plan *plan, uint32_t bytes, uint32_t *address);

/* Allocates the first free processor, and sets *processor to its number. Returns OK, or NO_SPACE if
 * all processors of the tile are in use. */
enum status tile_plan_processor(struct tile_plan *plan, uint8_t *processor);

#endif
