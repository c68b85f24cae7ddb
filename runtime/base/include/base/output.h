/* Files that commands write where their user says.
 *
 * A slip of the fingers costs nobody a file: what is replaced is a regular file that is empty or of
 * the very kind that is written, recognised by its content. Refused: symbolic links, devices,
 * pipes, directories, and every other file, so a command's own input and scenarios too. A file is
 * written beside its name, flushed and renamed: it is there whole, or as it was.
 *
 * "-" is standard output for kinds that make sense in a pipe; a file of that name is "./-". */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { OUTPUT_HEAD_BYTES = 1 << 16 };

/* What a command writes. */
struct output_kind {
	const char *name; /* as in "it is no report" */
	bool to_stdout;	  /* "-" is standard output */
	/* True if a file is of this kind that starts with these bytes: the whole file, or its first
	 * OUTPUT_HEAD_BYTES. A NUL stands behind them. */
	bool (*is)(const char *head, size_t length);
};

/* True if `path` may be written: before work whose result would be lost. Otherwise false with a
 * sentence in `why`. Changes nothing. */
bool output_check(const char *path, const struct output_kind *kind, struct text *why);

/* True if `path` is standard output to this kind. */
bool output_is_stdout(const char *path, const struct output_kind *kind);

/* Checks again, then writes `text`. False with a sentence in `why`; `path` is then as it was. */
bool output_write(const char *path, const struct output_kind *kind, const struct text *text,
	struct text *why);

/* As output_check() and output_write(), and `why` is printed to standard error. */
bool output_check_or_say(const char *path, const struct output_kind *kind);
bool output_write_or_say(const char *path, const struct output_kind *kind, const struct text *text);

/* True if a line of `head` starts with `key`: for kinds that are YAML. */
bool output_has_line(const char *head, const char *key);

#endif
