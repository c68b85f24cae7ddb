/* Functions that find out what a blocked stage waits for. Only for files of this folder. */
#ifndef CHIP_TILE_WAITS_H
#define CHIP_TILE_WAITS_H

#include "chip/tile/scheduler.h"

static inline bool reached(uint32_t value, uint32_t wanted)
{
	return (int32_t)(value - wanted) >= 0;
}

/* True if the stage waits for any change in [address, address + length) of the words. */
static inline bool any_change(const struct stage_wait *wait, uint32_t address, uint32_t length)
{
	if (wait->on != STAGE_WAIT_TILE)
		return false;
	if (wait->range_bytes == 0)
		return true;
	return address < wait->range ? wait->range - address < length
				     : address - wait->range < wait->range_bytes;
}

/* True if the stage waits for the word at wait->address to reach wait->value. */
static inline bool counts(const struct stage_wait *wait)
{
	return wait->on == STAGE_WAIT_WORD ||
	       (wait->on == STAGE_WAIT_TILE && wait->range_bytes > 0);
}

#endif
