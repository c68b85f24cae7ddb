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

/* Joins the first `shown` parts, and appends how many are left out. */
static const char *joined(const char *const *parts, uint32_t shown, uint32_t count,
	const char *separator, const char *noun, struct arena *arena)
{
	const char *text = "";

	for (uint32_t i = 0; i < shown; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? separator : "", parts[i]);
	return shown < count ? arena_printf(arena, "%s; %u more %ss", text, count - shown, noun)
			     : text;
}

const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t least, const char *noun, uint32_t lines, uint32_t columns, struct arena *arena)
{
	uint32_t shown = count < least ? count : least;

	shown += shown == 0 && count > 0;
	for (uint32_t i = shown + 1; i <= count; i++)
		if (paragraph_lines(joined(parts, i, count, separator, noun, arena), columns) <=
			lines)
			shown = i;
	if (shown + 1 == count) /* "1 more" is as long as most parts, and says nothing */
		shown = count;
	return joined(parts, shown, count, separator, noun, arena);
}
