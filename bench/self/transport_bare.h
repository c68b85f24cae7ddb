/* ZeroMQ without anything of ours: what its own latency test does. For bench-transport. */
#ifndef BENCH_SELF_TRANSPORT_BARE_H
#define BENCH_SELF_TRANSPORT_BARE_H

#include <stdbool.h>
#include <stdint.h>

/* Times of `count` round trips of so many bytes with another process, behind a tenth more that do
 * not count. False: this program was built without the library. */
bool transport_bare_rounds(uint32_t bytes, uint32_t count, int64_t *times_ns);

#endif
