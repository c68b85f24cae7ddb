/* Bursts of messages that nobody answers, and the constants of a transport that come out of them.
 * Private to the room. */
#ifndef BENCH_MEASURE_BURSTS_H
#define BENCH_MEASURE_BURSTS_H

#include "bench/measure/exchange.h"
#include "probe.h"

/* CPU time a message, ns: of the thread that sends and the other threads of its process; of a
 * member's thread that receives and its others. */
struct burst {
	uint32_t members, bytes, round;
	double send_ns, send_library_ns, receive_ns, receive_library_ns;
};

/* Fills the times of a burst of burst->bytes to all members, which are on cores of their own if
 * `apart`. */
void burst_measure(const struct exchange *exchange, bool apart, struct burst *burst);

/* Adds the figures of a transport; none of the bursts: it did not come to its end. */
void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count);

#endif
