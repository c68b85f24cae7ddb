/* Aligned text tables for terminals and files: one unit per column, numbers on the right. */
#ifndef ANALYSIS_PRINT_TEXT_TABLE_H
#define ANALYSIS_PRINT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum column_kind {
	COLUMN_TEXT,
	COLUMN_COUNT, /* a whole number */
	COLUMN_TIME,  /* a time, given in ps */
	COLUMN_BYTES,
	COLUMN_RATE,   /* a rate, given in B/s */
	COLUMN_PER_S,  /* a rate, given in 1/s */
	COLUMN_SHARE,  /* a share, given as a ratio and shown in percent */
	COLUMN_NUMBER, /* any other number */
};

struct text_table; /* opaque; in an arena, and freed with it */

struct text_table *text_table_new(struct arena *arena);

/* Adds a column. All columns must be added before the first row. Copies the heading. Columns of the
 * same kind and with the same `group` are printed in the same unit. If `group` is 0, the unit of
 * the column does not depend on other columns, and the column has as many decimals as are needed to
 * distinguish its values. */
void text_table_column(
	struct text_table *table, const char *heading, enum column_kind kind, int group);

struct text_column {
	const char *heading;
	enum column_kind kind;
	int group;
	const char *source; /* name of the place where the caller finds the values */
};

void text_table_columns(struct text_table *table, const struct text_column *columns, size_t count);

/* Sets how many of the first columns are keys. A key identifies a row. Without a call, only the
 * first column is a key. */
void text_table_keys(struct text_table *table, uint32_t count);

/* Starts a row of empty cells. */
void text_table_row(struct text_table *table);

/* Fills the next cell of the row: a text (copied), a number, or nothing. */
void text_table_text(struct text_table *table, const char *text);
void text_table_number(struct text_table *table, double value);
void text_table_blank(struct text_table *table);

/* Leaves out columns until the table is at most `columns` columns of the terminal wide. `headings`
 * lists the columns that may be left out, in the order in which to leave them out; it ends with
 * NULL. Call this function after filling the last row. Returns the headings that were left out,
 * separated by commas, in the arena of the table; "" if there are none. Columns that are empty in
 * every row are not in this text, because they are never printed. */
const char *text_table_fit(struct text_table *table, const char *const *headings, uint32_t columns);

/* Prints headings, units and rows, indented by two spaces. Columns that are empty in every row are
 * left out. */
void text_table_print(const struct text_table *table, FILE *out);

/* Like text_table_print(), but at most `columns` columns of the terminal wide. A wider table is
 * split into blocks, which are printed one below the other. Each block begins with the key columns.
 * If the key columns take more than half the width, all blocks except the first begin with only the
 * first key column. */
void text_table_print_within(const struct text_table *table, uint32_t columns, FILE *out);

#endif
