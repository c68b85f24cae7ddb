/* Links between stages. A link is a byte ring in the consumer's L1. The producer writes bytes into
 * the ring. Then it increments the arrival word beside the ring by the number of 16 B units
 * written; on the fabric, the increment is part of the packet. The consumer returns credits in
 * batches by incrementing the credit word at the producer. Each word counts all units since the
 * start, and wraps around. The same code serves links over the NoC of one chip and links over the
 * fabric. A link has one producer and one consumer, and carries whole units only. */
#ifndef FIRMWARE_LINK_LINK_H
#define FIRMWARE_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

/* The layout of a link, the same for both ends; each stage copies the struct. Addresses of rings
 * are multiples of 16 in bulk L1; addresses of words are less than word_bytes of the chip's
 * geometry. */
struct link_layout {
	uint16_t consumer_tile;
	uint32_t ring, ring_bytes; /* at the consumer */
	uint32_t arrival_word;	   /* at the consumer */
	uint16_t producer_tile;
	uint32_t credit_word; /* at the producer */
	uint32_t batch_bytes; /* credits returned at a time; at most half the ring */
	struct fabric_tree
		*forward; /* from the producer's chip to the consumer's; NULL: same chip */
	struct fabric_tree *backward; /* the other way; NULL together with `forward` */
};

#endif
