/* Builds the layout of a table whose columns are known at run time only: adds one column behind the
 * other, each at a multiple of 8 bytes of the row. Knows nothing of rows. */
#ifndef BENCH_TABLE_BUILDER_H
#define BENCH_TABLE_BUILDER_H

#include "base/arena.h"
#include "bench/results/table.h"

/* HDF5 keeps the columns of a table in one message of its header, which holds about as many. */
enum { TABLE_COLUMNS_MAX = 1024 };

/* Open value. */
struct table_builder {
	struct arena *arena;
	struct column *columns;
	uint32_t count, row_bytes;
};

/* Columns and their names will live in `arena`. */
void table_builder_init(struct table_builder *builder, struct arena *arena);

/* Adds a column behind the others. `unit` stays the caller's. */
const struct column *table_builder_add(struct table_builder *builder, const char *name,
	const char *unit, enum column_type type, uint32_t bytes);

/* The table so far, without rows. */
struct table table_builder_table(const struct table_builder *builder, const char *name);

#endif
