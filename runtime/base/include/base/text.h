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

/* GitHub Actions executes lines of a job's output that begin with certain prefixes as commands.
 * Returns true if `string` begins with such a prefix: "##[" or, if `begins_word` is set, "::".
 * GitHub recognizes "::" only at the start of a line, but any word of a text may be printed at the
 * start of a line. */
bool text_commands(const char *string, bool begins_word);

/* Returns a copy of `string`, which comes from a file, in a form that is safe to display. Writes
 * '?' in place of control characters (text_is_control()), of bytes that are not UTF-8, and of the
 * first character of each command to GitHub (text_commands()). If `lines` is set, "\n" is kept. */
const char *text_plain(const char *string, bool lines, struct arena *arena);

/* Returns the string so far, never NULL. It is valid until the text changes. */
const char *text_string(const struct text *text);

/* These functions escape texts from files and arguments, each for one kind of output: text_plain()
 * for terminals, text_append_json() for JSON and double-quoted YAML. Rank files and lists of
 * devices have no escapes, so names for them are checked when meshsim reads the names. */

/* Appends text for XML, SVG and HTML, between tags or in quoted values. Writes '?' in place of a
 * character that XML does not allow, a byte that is not UTF-8, or a control character
 * (text_is_control()); line ends are kept. */
void text_append_xml(struct text *text, const char *string);

/* Appends text for a line or a table cell in Markdown: the result of text_plain(), with a backslash
 * before every character that Markdown interprets. */
void text_append_markdown(struct text *text, const char *string);

/* Appends the result of text_plain() as code in Markdown. The delimiters are longer than any series
 * of backquotes in the text, so the text cannot end the code. */
void text_append_markdown_code(struct text *text, const char *string);

/* Reads numbers in texts of users: files, settings, options. The syntax is that of YAML 1.2: 12,
 * -3, 0x1f; 1.5, 1e3. Octal numbers, `nan`, `inf`, blanks, and anything after the number are
 * errors. */

/* number_is_integer() returns true if the text is an integer. number_is_real() returns true if it
 * is a number with a point or an exponent. */
bool number_is_integer(const char *text);
bool number_is_real(const char *text);

/* Reads a whole number from 0 to `most`, in decimal digits or, after 0x, in hexadecimal digits.
 * Sets *out and returns true. If the text does not have this form, returns false and leaves *out
 * unchanged. */
bool number_read_whole(const char *text, uint64_t most, uint64_t *out);

/* Reads a finite number, which may be an integer. Sets *out and returns true. If the text is not a
 * finite number, returns false and leaves *out unchanged. */
bool number_read_real(const char *text, double *out);

/* Like number_read_whole() and number_read_real(), but both read only the part of the text before
 * the first byte that is in `ends`. Both return the end of this part, or NULL if the part is not a
 * number. */
const char *number_read_whole_until(
	const char *text, const char *ends, uint64_t most, uint64_t *out);
const char *number_read_real_until(const char *text, const char *ends, double *out);

/* Decodes the code point at `bytes`, of which `length` bytes are readable, into *out. Returns the
 * size of the code point, 1 to 4 bytes. Returns 0 if `length` is 0 or if the bytes are not UTF-8;
 * overlong forms and surrogates are not. */
unsigned utf8_decode(const char *bytes, size_t length, uint32_t *out);

#endif
