/* Links between stages. A link is a ring of bytes in the consumer's L1, between one producer and
 * one consumer. The producer writes bytes into the ring. Then it increments the arrival word, which
 * is on the consumer's tile, by the number of units of 16 B that it wrote. Over the fabric, one
 * packet contains both the bytes and the increment. The consumer returns credits in batches by
 * incrementing the credit word at the producer. Each word counts all units since the start, and
 * wraps around. The same code serves links over the NoC of one chip and links over the fabric. A
 * link carries only whole units. */
#ifndef FIRMWARE_LINK_LINK_H
#define FIRMWARE_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

/* The layout of a link, which both ends use; each stage copies the struct. The words lie in the
 * first word_bytes of L1 (struct chip_geometry), and the rings above them. Addresses of rings are
 * multiples of 16. */
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

/* How later commands are held back while a broadcast prefetcher executes a trace (spec 3.12.2.2).
 * The prefetcher stores the commands of the trace in a separate buffer, or in the free part of its
 * ring. If it uses its ring, the depacketizer must hold: it passes no commands to the ring until
 * the trace ends. The depacketizer writes a word at the prefetcher when it begins to hold. The
 * prefetcher writes a word at the depacketizer when the trace ends. */

enum trace_hold {
	/* nothing holds; the prefetcher has a separate buffer for traces */
	TRACE_HOLD_NONE,
	TRACE_HOLD_DEPACKETIZER, /* the depacketizer holds after the segment of a trace */
	/* like TRACE_HOLD_DEPACKETIZER. In addition, after the segment of a trace, the packetizer
	 * sends nothing until it has got back all its credits */
	TRACE_HOLD_SENDER,
	TRACE_HOLD_SWEPT, /* the depacketizer holds when the prefetcher asks for it */
};

/* Minimum size in bytes of a ring that receives traces. The ring must have room for more than the
 * trace itself, because other commands may follow the trace in the same segment. */
enum { TRACE_HOLD_RING_MIN = 4096 };

/* The words with which a prefetcher and its depacketizer agree when the depacketizer holds back
 * commands that follow a trace. If `kind` is TRACE_HOLD_NONE, the other members are not used.
 * Traces are counted from 0. */
struct trace_hold_layout {
	enum trace_hold kind;
	uint16_t prefetch_tile, depacketizer_tile;
	uint32_t held_word; /* word at the prefetcher: number of traces for which the
			     * depacketizer has begun to hold */
	uint32_t over_word; /* word at the depacketizer. The prefetcher writes 2 n + 1 to ask the
			     * depacketizer to hold for trace n (only with TRACE_HOLD_SWEPT), and 2
			     * n + 2 when trace n has ended */
};

#endif
