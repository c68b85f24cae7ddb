/* Reads CSV files whose columns have names and may be in any order. Each line is a row. A cell may
 * be in quotes; within quotes, two quotes stand for one. Empty lines are skipped. It is an error if
 * a column is unknown, missing or duplicate, if a quote is not closed, if a row has another number
 * of cells, or if there are no rows. Errors cite their places in the file. */
#ifndef BENCH_TOOLS_CSV_H
#define BENCH_TOOLS_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

enum { CSV_COLUMNS_MAX = 32, CSV_BYTES_MAX = 4 << 20, CSV_ROWS_MAX = 10000 };

struct csv_cell {
	const char *text;
	struct location where;
};

struct csv {
	uint32_t rows_most;			/* upper bound of the number of rows in the file */
	struct csv_cell cells[CSV_COLUMNS_MAX]; /* current row, in the order of `columns` */
	struct location where;			/* location of the current row */
	/* private: */
	const char *const *columns;
	uint32_t column_count;
	const struct source *source;
	struct arena *arena;
	struct diag *diag;
	size_t errors;
	struct text text;
	const char *next;
	uint32_t line, row_count;
	uint32_t place[CSV_COLUMNS_MAX]; /* index of each column among the cells of a line */
	uint32_t width;			 /* number of cells in a line */
};

/* Opens a file that has the columns `columns`, and reads the line with their names. Cells are
 * stored in `arena`. Returns false with errors in `diag`. The caller calls csv_close() in either
 * case. */
bool csv_open(struct csv *csv, const char *path, const char *const *columns, uint32_t column_count,
	struct arena *arena, struct diag *diag);

/* Reads the next row. If a row has an error, reports the error and skips the row. Returns false at
 * the end, or if there are too many rows. */
bool csv_next(struct csv *csv);

/* Returns true if there were rows and no errors since csv_open(). */
bool csv_close(struct csv *csv);

#endif
