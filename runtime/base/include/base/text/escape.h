/* Escapes texts from files and arguments, with one function for each kind of output. For terminals
 * use text_plain(), for JSON and double-quoted YAML use text_append_json() (base/text.h). Rank
 * files and lists of devices have no escapes, so the names that they contain were checked when
 * meshsim read them. */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include "base/text.h"

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

#endif
