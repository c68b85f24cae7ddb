/* A growing string, for emitters. Always NUL-terminated once something was appended. Running out
 * of memory ends the process (base/ensure.h). */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct text {
	char *bytes;   /* NULL while empty: use text_string() */
	size_t length; /* without the NUL */
	size_t capacity;
};

/* An empty text; allocates nothing. A text that is all zeros is empty too. */
void text_init(struct text *text);

/* Frees the bytes. The text is empty and usable again. */
void text_fini(struct text *text);

/* Empties the text and keeps its memory. */
void text_clear(struct text *text);

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *bytes, size_t length);
void text_append_char(struct text *text, char character);

/* Appends a formatted string. */
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the bytes of a file. False with errno if it cannot be read; what could is appended. */
bool text_append_file(struct text *text, const char *path);

/* Appends `string` as a JSON string with its quotes. `<` becomes \u003c, so that the result may
 * stand inside an HTML script element. Bytes that are not UTF-8 become U+FFFD. */
void text_append_json(struct text *text, const char *string);

/* A copy of text from a file, for people: what controls terminals or turns the order of reading,
 * and bytes that are not UTF-8, become '?'; ends of lines too unless `lines`. */
const char *text_plain(const char *string, bool lines, struct arena *arena);

/* The string so far; never NULL; valid until the text changes. */
const char *text_string(const struct text *text);

#endif
