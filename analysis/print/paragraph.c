/* Wraps paragraphs, see wrap.h. Words are never broken. */

#include <stdbool.h>
#include <string.h>

#include "analysis/print/wrap.h"

uint32_t paragraph_lines(const char *text, uint32_t columns)
{
	uint32_t room = columns - PARAGRAPH_INDENT, lines = 0;

	while (*text) {
		text += hang_next(text, room);
		text += *text == ' ';
		lines++;
	}
	return lines;
}

void paragraph_print(const char *head, const char *text, const char *paint, const char *end,
	uint32_t columns, FILE *out)
{
	uint32_t room = columns - PARAGRAPH_INDENT;

	for (bool first = true; *text; first = false) {
		size_t length = hang_next(text, room);
		fprintf(out, "  %-*s%s%.*s%s\n", PARAGRAPH_INDENT - 2, first ? head : "", paint,
			(int)length, text, end);
		text += length;
		text += *text == ' ';
	}
}

const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t least, const char *noun, uint32_t lines, uint32_t columns, struct arena *arena)
{
	const char *best = "", *text = "";

	for (uint32_t i = 0; i < count; i++) {
		const char *whole;
		text = arena_printf(arena, "%s%s%s", text, i ? separator : "", parts[i]);
		whole = i + 1 < count ? arena_printf(arena, "%s; %u more %s%s", text, count - i - 1,
						noun, count - i - 1 == 1 ? "" : "s")
				      : text;
		if (i >= least && i > 0 && paragraph_lines(whole, columns) > lines)
			continue;
		best = whole;
	}
	return best;
}
