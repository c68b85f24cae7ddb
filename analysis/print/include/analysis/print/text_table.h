/* An aligned table on a terminal or in a file: one unit per column, numbers to the right. */
#ifndef ANALYSIS_PRINT_TEXT_TABLE_H
#define ANALYSIS_PRINT_TEXT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum grid_kind {
	GRID_TEXT,
	GRID_COUNT, /* a whole number */
	GRID_TIME,  /* given in ps */
	GRID_BYTES,
	GRID_RATE,   /* given in B/s */
	GRID_PER_S,  /* given in 1/s */
	GRID_SHARE,  /* given as a ratio, shown in percent */
	GRID_NUMBER, /* any other number */
};

struct grid; /* in an arena; never freed alone */

struct grid *grid_new(struct arena *arena);

/* Adds a column before the first row. Columns of one `group` (not 0) and kind share their unit. The
 * heading is copied. */
void grid_column(struct grid *grid, const char *heading, enum grid_kind kind, int group);

/* Starts a row; its cells are empty. */
void grid_row(struct grid *grid);

/* Fills the next cell of the row: a text (copied), a number, or nothing. */
void grid_text(struct grid *grid, const char *text);
void grid_number(struct grid *grid, double value);
void grid_blank(struct grid *grid);

/* Prints heading, units and rows, indented by two spaces; columns that are empty in every row are
 * left out. */
void grid_print(const struct grid *grid, FILE *out);

#endif
