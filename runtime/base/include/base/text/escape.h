/* Escapes texts from files and arguments, with one function for each kind of output. Use
 * text_plain() for terminals, and text_append_json() for JSON and double-quoted YAML (base/text.h).
 * Rank files and lists of devices have no escapes, so names for them are checked when they are
 * read. */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include "base/text.h"

/* Appends text for XML, SVG and HTML, between tags and in quoted values. Characters that XML does
 * not allow, characters of text_is_control() except line ends, and bytes that are not UTF-8 become
 * '?'. */
void text_append_xml(struct text *text, const char *string);

/* Appends text for a line or a table cell in Markdown: the result of text_plain(), with a backslash
 * before every character that Markdown interprets. */
void text_append_markdown(struct text *text, const char *string);

/* Appends the result of text_plain() as code in Markdown. Chooses delimiters that do not occur in
 * the text, so that the text cannot end the code. */
void text_append_markdown_code(struct text *text, const char *string);

#endif
