/* Builds the layout of a table whose columns are known only at run time: appends columns, each at a
 * multiple of 8 bytes in the row. */
#ifndef BENCH_TABLE_BUILDER_H
#define BENCH_TABLE_BUILDER_H

#include "base/arena.h"
#include "bench/results/table.h"

/* HDF5 stores the columns of a table in one header message, which holds about this many. */
enum { TABLE_COLUMNS_MAX = 1024 };

/* Open value. */
struct table_builder {
	struct arena *arena;
	struct column *columns;
	uint32_t count, row_bytes;
};

/* Columns and their names will live in `arena`. */
void table_builder_init(struct table_builder *builder, struct arena *arena);

/* Appends a column. `unit` is borrowed. */
const struct column *table_builder_add(struct table_builder *builder, const char *name,
	const char *unit, enum column_type type, uint32_t bytes);

/* The table so far, without rows. */
struct table table_builder_table(const struct table_builder *builder, const char *name);

#endif
