/* Accounts between packetizer and depacketizers, and counters. Private to the room. */
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

/* A counter has one writer; any thread may read it. */
static inline void count_add(uint64_t *counter, uint64_t amount)
{
	__atomic_store_n(counter, *counter + amount, __ATOMIC_RELAXED);
}

static inline uint64_t count_read(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

#endif
