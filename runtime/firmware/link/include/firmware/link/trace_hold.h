/* How later commands are held back while a broadcast prefetcher executes a trace (spec 3.12.2.2).
 * The prefetcher stores the commands of the trace either in a separate buffer or in the free part
 * of its ring. In the second case the depacketizer must hold: it passes no commands to the ring
 * until the trace ends. When the depacketizer begins to hold, it writes a word at the prefetcher.
 * When the trace ends, the prefetcher writes a word at the depacketizer. */
#ifndef FIRMWARE_LINK_TRACE_HOLD_H
#define FIRMWARE_LINK_TRACE_HOLD_H

#include <stdint.h>

enum trace_hold {
	/* nothing holds; the prefetcher has a separate buffer for traces */
	TRACE_HOLD_NONE,
	TRACE_HOLD_DEPACKETIZER, /* the depacketizer holds after the segment of a trace */
	/* the depacketizer begins to hold after the segment of a trace; the packetizer sends later
	 * segments only when all its credits have returned */
	TRACE_HOLD_SENDER,
	TRACE_HOLD_SWEPT, /* the depacketizer holds when the prefetcher asks for it */
};

/* Size in bytes of the smallest ring that has room for a trace and for the commands that follow the
 * trace in its segment. */
enum { TRACE_HOLD_RING_MIN = 4096 };

/* The words with which a prefetcher and its depacketizer agree on holding. If `kind` is
 * TRACE_HOLD_NONE, the other members are not used. Traces are counted from 0. */
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
