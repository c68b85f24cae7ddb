/* Tables of a result file in memory: any one-dimensional compound dataset of integers, reals and
 * texts, whatever its columns are called. Columns are found by name, so that layouts may grow. */
#ifndef ANALYSIS_READ_DATASET_H
#define ANALYSIS_READ_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

enum data_type { DATA_INTEGER, DATA_UNSIGNED, DATA_REAL, DATA_TEXT };

struct data_column {
	const char *name;
	const char *unit; /* "ps", "B", "1", "text"; "" if the file does not say */
	enum data_type type;
	uint32_t offset, bytes; /* in a row of ours: 8, or a text with its NUL */
};

struct data_table {
	struct data_column *columns;
	uint32_t column_count;
	uint32_t row_bytes;
	char *rows;
	uint64_t row_count;
};

/* Reads dataset `path` of an open HDF5 file or group; everything lives in `arena`. OK; NOT_FOUND:
 * no such dataset; INVALID: no such table, or damaged; NO_SPACE: larger than DATA_BYTES_MAX. */
enum status data_read(
	int64_t location, const char *path, struct arena *arena, struct data_table *table);

#define DATA_BYTES_MAX (UINT64_C(1) << 30)

/* The column of that name, or NULL. */
const struct data_column *data_column(const struct data_table *table, const char *name);

/* One cell. Numbers of either kind as double or integer; a text, or "" of a number. NULL columns
 * read as 0 and "". */
double data_real(const struct data_table *table, const struct data_column *column, uint64_t row);
int64_t data_integer(
	const struct data_table *table, const struct data_column *column, uint64_t row);
const char *data_text(
	const struct data_table *table, const struct data_column *column, uint64_t row);

/* Shorthands that find the column by name. */
double data_real_of(const struct data_table *table, const char *name, uint64_t row);
int64_t data_integer_of(const struct data_table *table, const char *name, uint64_t row);
const char *data_text_of(const struct data_table *table, const char *name, uint64_t row);

#endif
