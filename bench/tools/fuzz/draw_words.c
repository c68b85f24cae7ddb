/* The primitives of all drawings: random numbers, random choices, and lines of text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "drawing.h"

uint32_t draw_below(struct drawing *drawing, uint32_t bound)
{
	return (uint32_t)stream_below(&drawing->stream, bound);
}

bool draw_chance(struct drawing *drawing, uint32_t n)
{
	return draw_below(drawing, n) == 0;
}

uint32_t draw_magnitude(struct drawing *drawing, uint32_t bits)
{
	return 1 + draw_below(drawing, UINT32_C(1) << draw_below(drawing, bits + 1));
}

const char *draw_word(struct drawing *drawing, const char *const *words)
{
	uint32_t count = 0;

	while (words[count])
		count++;
	return words[draw_below(drawing, count)];
}

void draw_line(struct drawing *drawing, uint32_t depth, const char *format, ...)
{
	char line[2048];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (drawing->mesh_count > 1 && line[0] == '-' && line[2] != '{' && strchr(line, ':')) {
		text_printf(&drawing->text, "%*s- mesh: %s\n", (int)(2 * depth), "",
			drawing->mesh->name);
		line[0] = ' ';
	}
	text_printf(&drawing->text, "%*s%s\n", (int)(2 * depth), "", line);
}
