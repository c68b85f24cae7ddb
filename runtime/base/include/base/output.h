/* Output files of commands, at paths that the user gives.
 *
 * A typing error must not destroy a file. An existing file is replaced only if it is a regular file
 * that is empty or has the content of the kind that is being written. Symbolic links, devices,
 * pipes, directories and all other files are rejected, including a command's own input and
 * scenarios. A file is written beside its final name, flushed and renamed, so it is either complete
 * or unchanged.
 *
 * "-" is standard output for kinds that make sense in a pipe; to write a file of that name, use
 * "./-". */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { OUTPUT_HEAD_BYTES = 1 << 16 };

/* A kind of output file. */
struct output_kind {
	const char *name; /* "-" means standard output */
	bool to_stdout;	  /* "-" is standard output */
	/* True if a file that starts with the `length` bytes of `head` is of this kind. `head` is
	 * the whole file or its first OUTPUT_HEAD_BYTES, followed by a NUL. */
	bool (*is)(const char *head, size_t length);
};

/* Returns true if `path` may be written; otherwise false, with a sentence in `why`. Changes
 * nothing. Call it before the work whose result you would lose if the file cannot be written. */
bool output_check(const char *path, const struct output_kind *kind, struct text *why);

/* True if `path` means standard output for this kind. */
bool output_is_stdout(const char *path, const struct output_kind *kind);

/* Checks again, then writes `text`. False with a sentence in `why`; `path` is then unchanged. */
bool output_write(const char *path, const struct output_kind *kind, const struct text *text,
	struct text *why);

/* As output_check() and output_write(), but print `why` to standard error. */
bool output_check_or_say(const char *path, const struct output_kind *kind);
bool output_write_or_say(const char *path, const struct output_kind *kind, const struct text *text);

/* True if a line of `head` starts with `key`; for kinds that are YAML. */
bool output_has_line(const char *head, const char *key);

#endif
