/* Escapes texts from files and arguments, with one function for each kind of output. For terminals
 * use text_plain(), for JSON and double-quoted YAML use text_append_json() (base/text.h). Rank
 * files and lists of devices have no escapes, so names for these are checked when they are read. */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include "base/text.h"

/* Appends text for XML, SVG and HTML, between tags or in quoted values. Writes '?' in place of
 * characters that XML does not allow, of bytes that are not UTF-8, and of control characters
 * (text_is_control()) except line ends. */
void text_append_xml(struct text *text, const char *string);

/* Appends text for a line or a table cell in Markdown: the result of text_plain(), with a backslash
 * before every character that Markdown interprets. */
void text_append_markdown(struct text *text, const char *string);

/* Appends the result of text_plain() as code in Markdown. The delimiters are chosen so that they do
 * not occur in the text, and the text cannot end the code. */
void text_append_markdown_code(struct text *text, const char *string);

#endif
