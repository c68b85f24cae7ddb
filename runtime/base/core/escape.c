/* Escapes texts for each kind of output, see base/text.h. */
#include "base/text.h"

#include <string.h>

static void append_xml_point(struct text *text, uint32_t point, const char *at, unsigned size)
{
	switch (point) {
	case '<':
		text_append(text, "&lt;");
		break;
	case '>':
		text_append(text, "&gt;");
		break;
	case '&':
		text_append(text, "&amp;");
		break;
	case '"':
		text_append(text, "&quot;");
		break;
	case '\'':
		text_append(text, "&#39;");
		break;
	default:
		if (point != '\n' && (text_is_control(point) || point == 0xfffe || point == 0xffff))
			text_append_char(text, '?');
		else
			text_append_bytes(text, at, size);
	}
}

void text_append_xml(struct text *text, const char *string)
{
	size_t left = strlen(string);

	while (left) {
		uint32_t point;
		unsigned size = utf8_decode(string, left, &point);

		if (size == 0) {
			text_append_char(text, '?');
			size = 1;
		} else {
			append_xml_point(text, point, string, size);
		}
		string += size;
		left -= size;
	}
}

void text_append_markdown(struct text *text, const char *string)
{
	struct arena arena = {0};

	for (string = text_plain(string, false, &arena); *string; string++) {
		if (strchr("|\\`*_<>[]#&~$", *string))
			text_append_char(text, '\\');
		text_append_char(text, *string);
	}
	arena_fini(&arena);
}

void text_append_markdown_code(struct text *text, const char *string)
{
	struct arena arena = {0};
	size_t longest = 0, run = 0;

	string = text_plain(string, false, &arena);
	for (const char *at = string; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		text_append_char(text, '`');
	/* Markdown removes one blank at each end of the code. These blanks separate backquotes at
	 * the ends of the text from the delimiters. */
	text_append(text, longest ? " " : "");
	text_append(text, string);
	text_append(text, longest ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		text_append_char(text, '`');
	arena_fini(&arena);
}
