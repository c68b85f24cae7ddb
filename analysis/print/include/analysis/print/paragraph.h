/* Paragraphs beside a heading: wrapped to a width; lists are cut to fit. */
#ifndef ANALYSIS_PRINT_PARAGRAPH_H
#define ANALYSIS_PRINT_PARAGRAPH_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { PARAGRAPH_INDENT = 13 };

/* Lines that `text` takes where there is no narrower terminal. */
uint32_t paragraph_lines(const char *text);

/* Prints `head`, then `text` beside it in `columns` (text_columns()), further lines below the
 * first. `paint` and `end` surround the text and take no room. */
void paragraph_print(const char *head, const char *text, const char *paint, const char *end,
	uint32_t columns, FILE *out);

/* Joins `parts` until `lines` lines are full, at least one of them; "; 3 more" if some are left. */
const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t lines, struct arena *arena);

#endif
