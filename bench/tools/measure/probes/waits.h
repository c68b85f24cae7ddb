/* The cost of waiting for a message in a library. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_WAITS_H
#define BENCH_TOOLS_MEASURE_WAITS_H

#include "probe.h"
#include "transport/rows.h"

/* Adds the figures of a transport, from its timings so far. */
void waits_fit(struct probing *probing, const struct transport_row *row);

#endif
