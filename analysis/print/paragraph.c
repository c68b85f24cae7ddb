/* Wraps paragraphs, see paragraph.h. Never breaks a word. */
#include "analysis/print/paragraph.h"

#include <stdbool.h>
#include <string.h>

enum { ROOM = PARAGRAPH_WIDTH - PARAGRAPH_INDENT };

/* Columns of the terminal that the first `bytes` bytes of UTF-8 take. */
static uint32_t columns_of(const char *text, size_t bytes)
{
	uint32_t columns = 0;

	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* Bytes of `text` that stand on the next line. */
static size_t next_line(const char *text)
{
	size_t taken = strcspn(text, " ");

	while (text[taken]) {
		size_t word = 1 + strcspn(text + taken + 1, " ");
		if (columns_of(text, taken + word) > ROOM)
			break;
		taken += word;
	}
	return taken;
}

uint32_t paragraph_lines(const char *text)
{
	uint32_t lines = 0;

	while (*text) {
		text += next_line(text);
		text += *text == ' ';
		lines++;
	}
	return lines;
}

void paragraph_print(
	const char *head, const char *text, const char *paint, const char *end, FILE *out)
{
	for (bool first = true; *text; first = false) {
		size_t length = next_line(text);
		fprintf(out, "  %-*s%s%.*s%s\n", PARAGRAPH_INDENT - 2, first ? head : "", paint,
			(int)length, text, end);
		text += length;
		text += *text == ' ';
	}
}

const char *paragraph_fit(const char *const *parts, uint32_t count, const char *separator,
	uint32_t lines, struct arena *arena)
{
	const char *best = "", *text = "";

	for (uint32_t i = 0; i < count; i++) {
		const char *whole;
		text = arena_printf(arena, "%s%s%s", text, i ? separator : "", parts[i]);
		whole = i + 1 < count ? arena_printf(arena, "%s; %u more", text, count - i - 1)
				      : text;
		if (i > 0 && paragraph_lines(whole) > lines)
			continue;
		best = whole;
	}
	return best;
}
