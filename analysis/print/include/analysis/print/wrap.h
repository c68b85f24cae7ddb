/* Wraps text to the width of a terminal. */
#ifndef ANALYSIS_PRINT_WRAP_H
#define ANALYSIS_PRINT_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { WRAP_COLUMNS = 100 }; /* width if the output is not a terminal */
enum { PIPE_COLUMNS = 80 };  /* width of answers in this case; users paste them into mails */

/* Returns the width, in columns, of the terminal to which `out` writes, but at least 40. If `out`
 * is not a terminal, returns WRAP_COLUMNS. */
uint32_t terminal_columns(FILE *out);

/* Width for running text: the width of the terminal, but at most WRAP_COLUMNS. */
uint32_t text_columns(FILE *out);

/* Returns the width of an answer: on a terminal at most WRAP_COLUMNS, otherwise PIPE_COLUMNS. */
uint32_t answer_columns(FILE *out);

/* Returns the width for tables: the width of the terminal to which `out` writes. If `out` is not a
 * terminal, or if `wide` is set, returns UINT32_MAX (unlimited). */
uint32_t table_columns(bool wide, FILE *out);

/* True if `out` goes to a terminal. */
bool is_terminal(FILE *out);

/* Returns the number of columns that the first `bytes` bytes of UTF-8 text take on the terminal.
 * Each code point takes one column. */
uint32_t wrap_columns(const char *text, size_t bytes);

/* Returns the number of bytes of `text` that fit on a line of `columns` columns. The line ends
 * after a whole word, and has at least one word, even if the word is too long. */
size_t wrap_next(const char *text, uint32_t columns);

/* Like wrap_next(), but keeps a unit such as "%" or "us" on the line of its number. */
size_t hang_next(const char *text, uint32_t columns);

/* Prints `head` at column `margin`. To its right, prints `text` from column `indent` on, wrapped at
 * column `columns`. If `head` reaches column `indent`, `text` begins on the next line. */
void wrap_print(const char *head, const char *text, uint32_t margin, uint32_t indent,
	uint32_t columns, FILE *out);

/* Prints `text` from column `margin` on, wrapped at column `columns`. Lines after the first begin
 * at column `indent`. Prints `end` after each line except the last, such as " \" in a shell
 * command. */
void wrap_hang(const char *text, uint32_t margin, uint32_t indent, uint32_t columns,
	const char *end, FILE *out);

/* Paragraphs to the right of a heading. They are wrapped to a width, and lists in them are
 * shortened so that they fit. */

enum { PARAGRAPH_INDENT = 13 };

/* Number of lines that `text` takes in a paragraph that is wrapped at column `columns`. */
uint32_t paragraph_lines(const char *text, uint32_t columns);

/* Prints `head` and, to the right of it, `text`, wrapped at column `columns` (answer_columns()).
 * Prints `paint` before each line of the text, and `end` after each line. Both are meant for texts
 * that take no space on the terminal, such as colour codes. */
void paragraph_print(const char *head, const char *text, const char *paint, const char *end,
	uint32_t columns, FILE *out);

/* Joins as many of the `parts` as fit into `lines` lines, but at least one part, and at least the
 * first `least` parts. If parts are left out, appends their number: "; 3 more choices", if `noun`
 * is "choice". A single part is never left out, even if it does not fit. */
const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t least, const char *noun, uint32_t lines, uint32_t columns, struct arena *arena);

#endif
