/* A growing string. After the first append, the bytes end with a NUL. If memory runs out, the
 * process ends (base/ensure.h). */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct text {
	char *bytes;   /* NULL while the text is empty, so use text_string() */
	size_t length; /* length without the NUL */
	size_t capacity;
};

/* Makes the text empty; allocates nothing. A text that is all zeros is empty too. */
void text_init(struct text *text);

/* Frees the bytes. After that, the text is empty and can be used again. */
void text_fini(struct text *text);

/* Makes the text empty, but keeps its memory. */
void text_clear(struct text *text);

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *bytes, size_t length);
void text_append_char(struct text *text, char character);

/* Appends a formatted string. */
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends `string` as a JSON string, with its quotes. `<` becomes \u003c, so that the result can
 * stand inside an HTML script element. Bytes that are not UTF-8 become U+FFFD. */
void text_append_json(struct text *text, const char *string);

/* Returns true for a character of a user's file that must not be printed to a terminal or inside a
 * line. These are control characters, ends of lines and paragraphs, and marks that change the
 * reading direction. */
bool text_is_control(uint32_t point);

/* Returns true if `string` is UTF-8 without control characters (text_is_control()). */
bool text_is_plain(const char *string);

/* Returns true for a blank, a tab, an end of a line, and the other blanks of Unicode. GitHub
 * removes all of these at the start of a line. */
bool text_is_blank(uint32_t point);

/* Returns true if `string` begins with a prefix that makes a line of GitHub's log a command to its
 * runner: "##[" or, if `begins_word` is set, "::". GitHub recognizes "::" only at the start of a
 * line, but any word of a text may be printed at the start of a line. */
bool text_commands(const char *string, bool begins_word);

/* Returns a copy of `string`, which comes from a file, in a form that is safe to display. Writes
 * '?' in place of control characters (text_is_control()), of bytes that are not UTF-8, and of the
 * first character of each command to GitHub (text_commands()). If `lines` is set, "\n" is kept. */
const char *text_plain(const char *string, bool lines, struct arena *arena);

/* Returns the string so far, never NULL. It is valid until the text changes. */
const char *text_string(const struct text *text);

#endif
