/* Texts of files and arguments as they may stand in each kind of output: one function per kind. For
 * terminals it is text_plain(), for JSON and double-quoted YAML text_append_json() (base/text.h).
 * Rank files and lists of devices cannot escape: names for them are checked when they are read. */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include "base/text.h"

/* For XML, SVG and HTML, between tags and in quoted values. Characters that XML does not have,
 * those of text_is_control() but line ends, and bytes that are not UTF-8 become '?'. */
void text_append_xml(struct text *text, const char *string);

/* For a line or a cell of a table in Markdown: of text_plain(), with a backslash before all that
 * marks up. */
void text_append_markdown(struct text *text, const char *string);

/* For Markdown: of text_plain(), as code, which nothing in it ends. */
void text_append_markdown_code(struct text *text, const char *string);

#endif
