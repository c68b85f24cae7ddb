/* A table of results in memory, before it is written to HDF5. All rows have the same size. The
 * layout of a table describes its columns. For each kind of row, the layout is static data: an
 * X-macro list or an array. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include <stdbool.h>
#include "h5/reader.h"

/* Types of columns. COLUMN_TEXT is a char array of `bytes` bytes with NUL-padded UTF-8. COLUMN_TIME
 * is a time in ps. In memory, it is an int64_t, and -1 stands for a missing time. In the file, it
 * is a double, and NaN stands for a missing time. A double is exact up to 2^53 ps, which is two and
 * a half hours. */
enum column_type {
	COLUMN_U8,
	COLUMN_U16,
	COLUMN_U32,
	COLUMN_U64,
	COLUMN_I16,
	COLUMN_I32,
	COLUMN_I64,
	COLUMN_F64,
	COLUMN_TIME,
	COLUMN_TEXT
};

struct column {
	const char *name; /* in a file, the column has an identifier made from it */
	const char *unit; /* "ps", "B", "B/s", "1/s", "1" (a count or a number), "text" */
	enum column_type type;
	uint32_t offset; /* place of the cell in the row */
	uint32_t bytes;	 /* size of the cell */
};

/* Rows of one kind. The creator of the table owns `rows`. */
struct table {
	const char *name; /* name of the table, like "ops" */
	const struct column *columns;
	uint32_t column_count;
	uint32_t row_bytes;
	const void *rows;
	uint64_t row_count;
};

/* Type of a struct member, for the macro below. */
#define COLUMN_TYPE(lvalue)                                                                        \
	_Generic((lvalue), uint8_t                                                                 \
		 : COLUMN_U8, uint16_t                                                             \
		 : COLUMN_U16, uint32_t                                                            \
		 : COLUMN_U32, uint64_t                                                            \
		 : COLUMN_U64, int16_t                                                             \
		 : COLUMN_I16, int32_t                                                             \
		 : COLUMN_I32, int64_t                                                             \
		 : COLUMN_I64, double                                                              \
		 : COLUMN_F64, default                                                             \
		 : COLUMN_TEXT)

/* The column of a struct's member. */
#define COLUMN(row, member, unit_)                                                                 \
	{                                                                                          \
		.name = #member, .unit = unit_, .type = COLUMN_TYPE(((row *)0)->member),           \
		.offset = offsetof(row, member), .bytes = sizeof(((row *)0)->member)               \
	}

/* The column of an int64_t member with times that may be missing. */
#define TIME_COLUMN(row, member)                                                                   \
	{                                                                                          \
		.name = #member, .unit = "ps", .type = COLUMN_TIME,                                \
		.offset = offsetof(row, member), .bytes = sizeof(int64_t)                          \
	}

/* Builds the layout of a table whose columns are only known at run time. Each appended column
 * begins at a multiple of 8 bytes in the row. */

/* The largest number of columns of a table in memory. A file may hold fewer (table_fits()). */
enum { TABLE_COLUMNS_MAX = 1024 };

/* A table under construction. The caller allocates the struct. */
struct table_builder {
	struct arena *arena;
	struct column *columns;
	uint32_t count, row_bytes;
};

/* Columns and their names are allocated in `arena`. */
void table_builder_init(struct table_builder *builder, struct arena *arena);

/* Appends a column. `unit` is borrowed. */
const struct column *table_builder_add(struct table_builder *builder, const char *name,
	const char *unit, enum column_type type, uint32_t bytes);

/* The table so far, without rows. */
struct table table_builder_table(const struct table_builder *builder, const char *name);

/* Returns how many of the table's columns, from the first on, a file can hold. HDF5 stores the
 * names and types of all columns of a table in one message of at most 64 KiB. So a file holds fewer
 * columns if their names are long. */
uint32_t table_fits(const struct table *table);

/* Reads parts of result files, for merging, resuming and experiments. Files are not trusted: it
 * is an error if the types or sizes of a table's columns differ from its layout in any way. */

/* Opens an HDF5 file; close it with h5_close(). Returns NULL if the file is not an HDF5 file, or
 * not a regular file. */
struct h5_file *part_open(const char *path);

/* Reads the table `layout->name` of `group` ("" or "/run") into rows of the layout. The caller
 * frees *rows with free(). If there is no such table, or if it has another layout, sets *rows to
 * NULL and *row_count to 0, and returns false. */
bool part_table(struct h5_file *file, const char *group, const struct table *layout, void **rows,
	uint32_t *row_count);

/* Sets *row_count to the number of rows of the table `path`. If there is no such table, sets
 * *row_count to 0 and returns false. */
bool part_row_count(struct h5_file *file, const char *path, uint32_t *row_count);

/* Reads a text attribute, and cuts it after `size` - 1 bytes. If there is no such attribute, sets
 * `out` to "" and returns false. */
bool part_text(struct h5_file *file, const char *object, const char *name, char *out, size_t size);

#endif
