/* Flushing memory from all caches. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_COOL_H
#define BENCH_TOOLS_MEASURE_COOL_H

#include <stdbool.h>
#include <stdint.h>

/* Writes `bytes` back to memory and evicts them from all caches. False, without effect, if this
 * processor cannot do that. */
bool cool(const void *memory, uint64_t bytes);

#endif
