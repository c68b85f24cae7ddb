/* Prints paragraphs beside a heading, wrapped to a width, and shortens lists to fit. */
#ifndef ANALYSIS_PRINT_PARAGRAPH_H
#define ANALYSIS_PRINT_PARAGRAPH_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { PARAGRAPH_INDENT = 13 };

/* Number of lines that `text` takes in a paragraph of WRAP_COLUMNS. */
uint32_t paragraph_lines(const char *text);

/* Prints `head` and, beside it, `text` wrapped to `columns` (text_columns()). `paint` and `end`,
 * such as colour codes, surround the text of each line and take no columns. */
void paragraph_print(const char *head, const char *text, const char *paint, const char *end,
	uint32_t columns, FILE *out);

/* Joins as many `parts` as fit in `lines` lines, at least one; appends "; 3 more" if 3 are left
 * out. */
const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t lines, struct arena *arena);

#endif
