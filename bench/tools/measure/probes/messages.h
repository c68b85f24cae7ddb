/* Parts of the probe of transports. Only for files of this folder. */
#ifndef BENCH_TOOLS_MEASURE_MESSAGES_H
#define BENCH_TOOLS_MEASURE_MESSAGES_H

#include "bench/tools/measure/exchange.h"
#include "probe.h"
#include "transport/rows.h"

/* Measures bursts of unanswered messages, and computes the constants of a transport from these. */

/* CPU time per message in ns, on the sending and on the receiving side. Each side has the time of
 * the thread that calls the library, and the time of the library's other threads. */
struct burst {
	uint32_t members, bytes, round;
	double send_ns, send_library_ns, receive_ns, receive_library_ns;
};

/* Fills in the times of *burst: a burst to all members, with burst->bytes bytes per message. If
 * `apart` is set, hub and members run on separate cores. */
void burst_measure(const struct exchange *exchange, bool apart, struct burst *burst);

/* Adds the figures of a transport that follow from `count` bursts. `count` is 0 if the process that
 * measures bursts did not finish. */
void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count);

/* Finds the cost of waiting for a message in a library. */

/* Adds the figures of a transport, computed from its timings. */
void waits_fit(struct probing *probing, const struct transport_row *row);

#endif
