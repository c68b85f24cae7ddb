/* Links between stages. A link is a ring of bytes in the consumer's L1, between one producer and
 * one consumer. The producer writes bytes into the ring. Then it increments the arrival word, which
 * is on the consumer's tile, by the number of units of 16 B that it wrote; on the fabric, the
 * packet with the bytes contains the increment. The consumer returns credits in batches by
 * incrementing the credit word at the producer. Each word counts all units since the start, and
 * wraps around. The same code serves links over the NoC of one chip and links over the fabric. A
 * link carries only whole units. */
#ifndef FIRMWARE_LINK_LINK_H
#define FIRMWARE_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

/* The layout of a link, which both ends use; each stage copies the struct. Addresses of rings are
 * multiples of 16 in bulk L1. Addresses of words are less than word_bytes of the chip's geometry.
 */
struct link_layout {
	uint16_t consumer_tile;
	uint32_t ring, ring_bytes; /* address and size of the ring at the consumer */
	uint32_t arrival_word;	   /* address of the arrival word at the consumer */
	uint16_t producer_tile;
	uint32_t credit_word; /* address of the credit word at the producer */
	uint32_t batch_bytes; /* bytes whose credits are returned together; at most half the ring */
	struct fabric_tree
		*forward; /* tree from the producer's chip to the consumer's; NULL: the same chip */
	struct fabric_tree *backward; /* tree in the opposite direction; NULL if `forward` is
				       * NULL */
};

#endif
