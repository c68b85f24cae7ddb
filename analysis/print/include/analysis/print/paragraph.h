/* Paragraphs behind a heading: wrapped at a width, lists cut to what fits. */
#ifndef ANALYSIS_PRINT_PARAGRAPH_H
#define ANALYSIS_PRINT_PARAGRAPH_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { LINES_WIDTH = 100, LINES_INDENT = 13 };

/* Lines that `text` takes. */
uint32_t lines_needed(const char *text);

/* Prints `head`, then `text` beside it, further lines below the first. `paint` and `end` surround
 * the text and take no room. */
void lines_print(const char *head, const char *text, const char *paint, const char *end, FILE *out);

/* Joins `parts` until `lines` lines are full, at least one of them; "; 3 more" if some are left. */
const char *lines_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t lines, struct arena *arena);

#endif
