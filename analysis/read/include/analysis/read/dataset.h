/* Tables of a result file in memory. A table is a one-dimensional compound dataset of integers,
 * reals and texts. Columns are found by name, so later layouts may have more columns. In the file,
 * some names of columns were changed into Python identifiers ("runtime_forward_path"). The
 * attribute "key:COLUMN" of the dataset then has the original name, which the column gets in
 * memory. Times (unit ps) are integers in memory; -1 is a missing time. */
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
	const char *unit; /* unit, such as "ps", "B", "1" or "text"; "": the file gives none */
	enum dataset_type type;
	/* place and size of the cell in a row in memory; 8 bytes, or a text with its NUL */
	uint32_t offset, bytes;
};

struct dataset {
	struct dataset_column *columns;
	uint32_t column_count;
	uint32_t row_bytes;
	char *rows;
	uint64_t row_count;
};

/* Reads the table `path` into `arena`. Returns OK on success. Returns NOT_FOUND if there is no such
 * table, INVALID if the table is damaged or has a form that meshsim does not write, and NO_SPACE if
 * the table is larger than DATASET_BYTES_MAX. */
enum status dataset_read(
	struct h5_file *file, const char *path, struct arena *arena, struct dataset *dataset);

/* Reads `count` rows of an open table, beginning with row `first`. Returns INVALID if the table has
 * fewer rows. */
enum status dataset_read_rows(struct h5_table *table, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset);

#define DATASET_BYTES_MAX (UINT64_C(1) << 30)

/* The column of that name, or NULL. */
const struct dataset_column *dataset_column(const struct dataset *dataset, const char *name);

/* These functions return the value of one cell. dataset_real() and dataset_integer() convert a
 * number of any type; for a text they return 0. dataset_text() returns "" for a number. If `column`
 * is NULL, the value is 0 or "". */
double dataset_real(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);
int64_t dataset_integer(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);
const char *dataset_text(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row);

/* Returns one cell as a text in `arena`. A real number has six digits, or more if the text would
 * otherwise be read as another number. */
const char *dataset_cell_text(const struct dataset *dataset, const struct dataset_column *column,
	uint64_t row, struct arena *arena);

/* If any value of a column is missing (NaN or an empty text), converts the whole column to texts. A
 * missing value becomes the text `mark`, which has at most seven letters. */
void dataset_mark_missing(struct dataset *dataset, struct dataset_column *column, const char *mark,
	struct arena *arena);

/* Like the functions above, but with the name of the column. */
double dataset_real_of(const struct dataset *dataset, const char *name, uint64_t row);
int64_t dataset_integer_of(const struct dataset *dataset, const char *name, uint64_t row);
const char *dataset_text_of(const struct dataset *dataset, const char *name, uint64_t row);

/* Sum of a column over all rows. */
double dataset_sum(const struct dataset *dataset, const char *column);

/* Row with the largest value of a column; -1 if no value is above 0. */
int64_t dataset_largest(const struct dataset *dataset, const char *column);

#endif
