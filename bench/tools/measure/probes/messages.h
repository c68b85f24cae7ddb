/* The parts of the probe of transports: bursts of unanswered messages, from which the constants
 * of a transport are computed, and waits for a message. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_MESSAGES_H
#define BENCH_TOOLS_MEASURE_MESSAGES_H

#include "bench/tools/measure/exchange.h"
#include "probe.h"
#include "transport/rows.h"

/* Bursts of unanswered messages, and the constants of a transport computed from them. Private to
 * the room. */

/* CPU time per message in ns: of the sending thread and of the other threads of its process; of a
 * member's receiving thread and of its other threads. */
struct burst {
	uint32_t members, bytes, round;
	double send_ns, send_library_ns, receive_ns, receive_library_ns;
};

/* Fills the times of a burst of messages of burst->bytes to all members, which are on separate
 * cores if `apart`. */
void burst_measure(const struct exchange *exchange, bool apart, struct burst *burst);

/* Adds the figures of a transport. No bursts means that its process did not finish. */
void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count);

/* The cost of waiting for a message in a library. */

/* Adds the figures of a transport, from its timings so far. */
void waits_fit(struct probing *probing, const struct transport_row *row);

#endif
