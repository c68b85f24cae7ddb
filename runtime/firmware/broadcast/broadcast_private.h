/* Accounts between packetizer and depacketizers. Private to the room. */
#ifndef FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H
#define FIRMWARE_BROADCAST_BROADCAST_PRIVATE_H

#include "firmware/broadcast/broadcast.h"
#include "firmware/link/ring.h"

/* The two words of a receiver at the packetizer. */
static inline uint32_t account_credit(const struct broadcast_layout *layout, uint32_t receiver)
{
	return layout->account_words + 8 * receiver;
}

static inline uint32_t account_drained(const struct broadcast_layout *layout, uint32_t receiver)
{
	return account_credit(layout, receiver) + 4;
}

/* Units that a receiver may hold: its spill buffer, or without one its landing ring. */
static inline uint32_t account_units(const struct firmware_limits *limits)
{
	uint32_t bytes = limits->spill_bytes > 0 ? limits->spill_bytes : limits->landing_ring_bytes;

	return bytes / COMMAND_ALIGN;
}

#endif
