/* Writes scenarios as short YAML, without changing their meaning. */
#ifndef BENCH_TOOLS_FUZZ_COMPACT_H
#define BENCH_TOOLS_FUZZ_COMPACT_H

#include "base/text.h"
#include "base/tree.h"

/* Appends a map as YAML. A value that fits into a line of 100 columns is written on one line.
 * Reading the text gives an equal tree. */
void compact_write(const struct tree_node *map, struct text *out);

#endif
