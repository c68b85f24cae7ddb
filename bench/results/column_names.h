/* Names of columns in a file: identifiers that Python takes as they are, so that a column is an
 * attribute of a data frame. Whoever makes a table need not care. */
#ifndef BENCH_COLUMN_NAMES_H
#define BENCH_COLUMN_NAMES_H

#include "bench/results/table.h"

enum { COLUMN_NAME_BYTES = 256 };

/* A name per column, different from each other: its own if that is an identifier and no word of
 * Python's, else made of it ("runtime.forward.path": runtime_forward_path). For free(). */
char (*column_names(const struct table *table))[COLUMN_NAME_BYTES];

#endif
