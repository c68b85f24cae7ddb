/* Datasets of a result file in memory: any one-dimensional compound dataset of integers, reals
 * and texts. Columns are found by name, so that layouts may grow; a column whose name in the file
 * is made for Python ("runtime_forward_path") has that of its attribute "key:COLUMN" here. Times
 * (unit ps) are integers here, -1 where the file has none. */
#ifndef ANALYSIS_READ_DATASET_H
#define ANALYSIS_READ_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "h5/reader.h"

enum dataset_type { DATASET_INTEGER, DATASET_UNSIGNED, DATASET_REAL, DATASET_TEXT };

struct dataset_column {
	const char *name;
	const char *unit; /* "ps", "B", "1", "text"; "" if the file does not say */
	enum dataset_type type;
	uint32_t offset, bytes; /* in a row of ours: 8, or a text with its NUL */
};

struct dataset {
	struct dataset_column *columns;
	uint32_t column_count;
	uint32_t row_bytes;
	char *rows;
	uint64_t row_count;
};

/* Reads the table `path`; everything lives in `arena`. OK; NOT_FOUND: no such table; INVALID: no
 * table that meshsim writes, or damaged; NO_SPACE: larger than DATASET_BYTES_MAX. */
enum status dataset_read(
	struct h5_file *file, const char *path, struct arena *arena, struct dataset *dataset);

/* `count` rows from `first` on of an open table, whose columns stay those of the file. INVALID if
 * it has fewer. */
enum status dataset_read_rows(struct h5_table *table, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset);

#define DATASET_BYTES_MAX (UINT64_C(1) << 30)

/* The column of that name, or NULL. */
const struct dataset_column *dataset_column(const struct dataset *dataset, const char *name);

/* One cell. Numbers of either kind as double or integer; a text, or "" of a number. NULL columns
 * read as 0 and "". */
double dataset_real(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);
int64_t dataset_integer(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);
const char *dataset_text(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);

/* One cell as text, of reals the shortest that reads back the same; in `arena`. */
const char *dataset_cell_text(const struct dataset *dataset, const struct dataset_column *column,
	uint64_t row, struct arena *arena);

/* Where a column lacks values (NaN, or an empty text), makes texts of all of it, `mark` where they
 * are missing: at most seven letters. */
void dataset_mark_missing(struct dataset *dataset, struct dataset_column *column, const char *mark,
	struct arena *arena);

/* Shorthands that find the column by name. */
double dataset_real_of(const struct dataset *dataset, const char *name, uint64_t row);
int64_t dataset_integer_of(const struct dataset *dataset, const char *name, uint64_t row);
const char *dataset_text_of(const struct dataset *dataset, const char *name, uint64_t row);

/* Sum of a column over all rows. */
double dataset_sum(const struct dataset *dataset, const char *column);

/* Row with the largest value of a column, or -1 if there are none or all are 0. */
int64_t dataset_largest(const struct dataset *dataset, const char *column);

#endif
