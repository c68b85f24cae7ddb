/* A growing string. When the buffer is full, its size is doubled. */
#include "base/allocate.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

enum { CAPACITY_FIRST = 64 };

void text_init(struct text *text)
{
	*text = (struct text){0};
}

void text_fini(struct text *text)
{
	free(text->bytes);
	text_init(text);
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = '\0';
}

/* Makes room for `more` further bytes and a NUL. */
static void text_reserve(struct text *text, size_t more)
{
	size_t capacity = text->capacity ? text->capacity : CAPACITY_FIRST;

	ensure(more < SIZE_MAX / 4 && text->length < SIZE_MAX / 4, "text of %zu and %zu bytes",
		text->length, more);
	while (capacity < text->length + more + 1)
		capacity *= 2;
	if (capacity == text->capacity)
		return;
	text->bytes = allocate_more(text->bytes, capacity, 1);
	text->capacity = capacity;
}

void text_append_bytes(struct text *text, const void *bytes, size_t length)
{
	text_reserve(text, length);
	if (length)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_append(struct text *text, const char *string)
{
	text_append_bytes(text, string, strlen(string));
}

void text_append_char(struct text *text, char character)
{
	text_append_bytes(text, &character, 1);
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	ensure(length >= 0, "format '%s'", format);
	text_reserve(text, (size_t)length);
	va_start(values, format);
	vsnprintf(text->bytes + text->length, (size_t)length + 1, format, values);
	va_end(values);
	text->length += (size_t)length;
}

/* Returns true for characters that are escaped although JSON does not require it: they start HTML
 * tags, must not reach a terminal, or are rejected by YAML. */
static bool is_escaped_in_json(uint32_t point)
{
	return text_is_control(point) || point == '<' || point == 0xfeff || point == 0xfffe ||
	       point == 0xffff;
}

static void append_json_point(struct text *text, uint32_t point, const char *at, unsigned size)
{
	switch (point) {
	case '"':
	case '\\':
		text_append_char(text, '\\');
		text_append_char(text, (char)point);
		break;
	case '\n':
		text_append(text, "\\n");
		break;
	case '\t':
		text_append(text, "\\t");
		break;
	default:
		if (is_escaped_in_json(point))
			text_printf(text, "\\u%04x", (unsigned)point);
		else
			text_append_bytes(text, at, size);
	}
}

void text_append_json(struct text *text, const char *string)
{
	size_t left = strlen(string);

	text_append_char(text, '"');
	while (left) {
		uint32_t point;
		unsigned size = utf8_decode(string, left, &point);

		if (size == 0) {
			text_append(text, "\\ufffd");
			size = 1;
		} else {
			append_json_point(text, point, string, size);
		}
		string += size;
		left -= size;
	}
	text_append_char(text, '"');
}

bool text_is_control(uint32_t point)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0, 0x1f},	  /* C0 */
		{0x7f, 0x9f},	  /* DEL and C1 */
		{0x61c, 0x61c},	  /* Arabic letter mark */
		{0x200e, 0x200f}, /* marks of direction */
		{0x2028, 0x202e}, /* ends of lines and paragraphs, embedding and overriding */
		{0x2066, 0x2069}, /* isolating */
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

bool text_is_plain(const char *string)
{
	size_t left = strlen(string);

	while (left) {
		uint32_t point;
		unsigned size = utf8_decode(string, left, &point);

		if (size == 0 || text_is_control(point))
			return false;
		string += size;
		left -= size;
	}
	return true;
}

bool text_is_blank(uint32_t point)
{
	return point == ' ' || point == '\t' || point == '\n' || point == 0xa0 || point == 0x1680 ||
	       (point >= 0x2000 && point <= 0x200a) || point == 0x202f || point == 0x205f ||
	       point == 0x3000;
}

bool text_commands(const char *string, bool begins_word)
{
	return (begins_word && strncmp(string, "::", 2) == 0) || strncmp(string, "##[", 3) == 0;
}

const char *text_plain(const char *string, bool lines, struct arena *arena)
{
	size_t left = strlen(string);
	char *plain = arena_copy(arena, string, left), *end = plain;
	bool begins_word = true;

	while (left) {
		uint32_t point = 0;
		unsigned size = utf8_decode(string, left, &point);

		if (size == 0 || (text_is_control(point) && !(lines && point == '\n')) ||
			text_commands(string, begins_word)) {
			*end++ = '?';
			size = size == 0 ? 1 : size;
		} else {
			memcpy(end, string, size);
			end += size;
		}
		begins_word = text_is_blank(point);
		string += size;
		left -= size;
	}
	*end = '\0';
	return plain;
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}
