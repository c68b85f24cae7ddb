/* Names of columns in a file: valid Python identifiers, so that a column is an attribute of a data
 * frame. Applied when a table is written, so its creator can use any names. */
#ifndef BENCH_COLUMN_NAMES_H
#define BENCH_COLUMN_NAMES_H

#include "bench/results/table.h"

enum { COLUMN_NAME_BYTES = 256 };

/* A unique name per column: its own if that is an identifier and not a Python keyword, otherwise
 * one derived from it ("runtime.forward.path": runtime_forward_path). free() the result. */
char (*column_names(const struct table *table))[COLUMN_NAME_BYTES];

#endif
