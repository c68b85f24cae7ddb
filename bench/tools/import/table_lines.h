/* Reads a CSV file with many columns line by line, with little memory. Cells may be in quotes;
 * within quotes, two quotes stand for one quote. */
#ifndef BENCH_TOOLS_IMPORT_TABLE_LINES_H
#define BENCH_TOOLS_IMPORT_TABLE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"

/* A cell of the current line: its text, and its first column in the file, in bytes from 1. */
struct table_cell {
	const char *text;
	uint32_t length, column;
};

struct table_lines {
	struct table_cell *cells; /* of the current line */
	uint32_t count;
	uint32_t line; /* number of the current line, from 1 */
	/* private: */
	FILE *file;
	const char *name;
	const struct source *source;
	struct diag *diag;
	char *bytes; /* the current line; cells point to it */
	size_t length;
	uint32_t most_cells, most_bytes;
};

/* Starts reading `file`, which the caller closes later. A line may have at most `most_bytes` bytes
 * and `most_cells` cells. The caller must call table_lines_fini() at the end. */
void table_lines_init(struct table_lines *lines, FILE *file, const char *name, uint32_t most_bytes,
	uint32_t most_cells, struct diag *diag);

/* Reads the next line that is not empty. Returns false at the end, or after an error in `diag`. */
bool table_lines_next(struct table_lines *lines);

/* Returns the place of a cell of the current line, or of the line if `cell` is NULL. */
struct location table_lines_where(const struct table_lines *lines, const struct table_cell *cell);

void table_lines_fini(struct table_lines *lines);

#endif
