/* How the commands behind a trace are held back while a broadcast prefetcher executes the trace
 * (spec 3.12.2.2). The prefetcher either has a buffer of its own for the commands of traces, or it
 * reads them into the free part of its ring. In the second case no commands may arrive meanwhile:
 * the depacketizer holds, which it tells the prefetcher in a word there, and the prefetcher tells
 * the depacketizer the end of the trace in a word there. */
#ifndef FIRMWARE_LINK_TRACE_HOLD_H
#define FIRMWARE_LINK_TRACE_HOLD_H

#include <stdint.h>

enum trace_hold {
	TRACE_HOLD_NONE,	 /* the prefetcher has a buffer of its own for traces */
	TRACE_HOLD_DEPACKETIZER, /* behind the segment of a trace, the depacketizer holds */
	TRACE_HOLD_SENDER,	 /* so it does, and the packetizer waits until all its credits are
				  * back */
	TRACE_HOLD_SWEPT,	 /* the depacketizer holds when the prefetcher asks it to */
};

/* Smallest ring that takes a trace beside the commands that follow it in its segment, in bytes. */
enum { TRACE_HOLD_RING_MIN = 4096 };

/* The words of a prefetcher and its depacketizer. If `kind` is TRACE_HOLD_NONE, the rest is not
 * used. Traces are counted from 0. */
struct trace_hold_layout {
	enum trace_hold kind;
	uint16_t prefetch_tile, depacketizer_tile;
	uint32_t held_word; /* at the prefetcher: number of traces for which was held */
	uint32_t over_word; /* at the depacketizer: 2 n + 1 asks it to hold for trace n, which it
			     * needs only if swept; 2 n + 2 is the end of trace n */
};

#endif
