/* Scenarios as short YAML. Refuses to change what they say. */
#ifndef BENCH_FUZZ_COMPACT_H
#define BENCH_FUZZ_COMPACT_H

#include "base/text.h"
#include "base/tree.h"

/* Appends a map as YAML: what fits into a line of 100 columns stands in one. Reading it gives an
 * equal tree. */
void compact_write(const struct tree_node *map, struct text *out);

#endif
