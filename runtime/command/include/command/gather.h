/* The devices and queue that record an event gathered by an aggregator (spec 3.11.2), in 64 bits of
 * a command or record: a device range of the mesh, and the command queue. */
#ifndef COMMAND_GATHER_H
#define COMMAND_GATHER_H

#include <stdbool.h>
#include <stdint.h>

struct gather {
	uint8_t row0, column0, row1, column1; /* ends included */
	uint8_t queue;
};

static inline uint64_t gather_pack(struct gather gather)
{
	return (uint64_t)gather.row0 | (uint64_t)gather.column0 << 8 | (uint64_t)gather.row1 << 16 |
	       (uint64_t)gather.column1 << 24 | (uint64_t)gather.queue << 32;
}

static inline struct gather gather_unpack(uint64_t packed)
{
	return (struct gather){(uint8_t)packed, (uint8_t)(packed >> 8), (uint8_t)(packed >> 16),
		(uint8_t)(packed >> 24), (uint8_t)(packed >> 32)};
}

/* True if the device at (row, column) records the event on `queue`. */
static inline bool gather_has(struct gather gather, uint8_t row, uint8_t column, uint8_t queue)
{
	return queue == gather.queue && row >= gather.row0 && row <= gather.row1 &&
	       column >= gather.column0 && column <= gather.column1;
}

#endif
