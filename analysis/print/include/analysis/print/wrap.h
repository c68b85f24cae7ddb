/* Text in lines of a terminal's width. */
#ifndef ANALYSIS_PRINT_WRAP_H
#define ANALYSIS_PRINT_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { WRAP_COLUMNS = 100 }; /* where output goes to no terminal */

/* Columns of the terminal that `out` is, at least 40; WRAP_COLUMNS if it is none. */
uint32_t terminal_columns(FILE *out);

/* Columns for running text: those of the terminal, but WRAP_COLUMNS at most. */
uint32_t text_columns(FILE *out);

/* Columns for tables: those of the terminal, unless rows are asked for whole or `out` is none. */
uint32_t table_columns(bool wide, FILE *out);

/* True if `out` goes to a terminal. */
bool is_terminal(FILE *out);

/* Columns that the first `bytes` bytes of UTF-8 take. */
uint32_t wrap_columns(const char *text, size_t bytes);

/* Bytes of `text` that stand on a line of `columns` columns: whole words, at least one. */
size_t wrap_next(const char *text, uint32_t columns);

/* Prints `head` at column `margin` and `text` from column `indent` to `columns`; further lines
 * below the first. A head that is longer gets a line of its own. */
void wrap_print(const char *head, const char *text, uint32_t margin, uint32_t indent,
	uint32_t columns, FILE *out);

#endif
