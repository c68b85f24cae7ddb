/* Memory that is in no cache. Private to the room. */
#ifndef BENCH_MEASURE_COOL_H
#define BENCH_MEASURE_COOL_H

#include <stdbool.h>
#include <stdint.h>

/* Writes `bytes` back to memory and takes them out of all caches. False, with nothing done, if this
 * processor has no way to. */
bool cool(const void *memory, uint64_t bytes);

#endif
