/* Located diagnostics: collects the errors and warnings of the user's files and prints all of them
 * in one pass, sorted by position:
 *
 *     quad.yaml:8:5: error: unknown key 'chps', did you mean 'chips'?
 *         chps: 4
 *         ^
 *
 * Each location points to its source. A source lives as long as something keeps it: the diag with
 * which it was registered, a diag with a message that is located in it, or an arena that holds
 * locations in it. Trees, and objects bound from trees, keep their sources, so they may outlive the
 * diag. Bugs of ours are reported by ensure() (ensure.h) and failures of the world by a status
 * (status.h), not here. Not thread safe. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

struct diag;
struct source; /* a named text: a file, or an argument such as "--set runtime.forward.path" */

/* A location in a source. Lines and columns count from 1; columns count code points. If line is 0,
 * the location is the source as a whole. If source is NULL, there is no location; for example, a
 * default value has none. */
struct location {
	const struct source *source;
	uint32_t line, column;
};

enum {
	DIAG_KEPT_MAX = 1000,  /* messages kept; further ones are only counted */
	DIAG_PRINTED_MAX = 100 /* messages printed; then "and N more" */
};

/* An empty list. */
struct diag *diag_new(void);

/* Frees messages, and the sources that nothing else keeps. NULL is allowed. */
void diag_free(struct diag *diag);

/* Registers a source and keeps copies of name and text. `text` may be NULL (an unreadable file).
 * The result is valid until diag_free(), or longer if location_keep() keeps it. */
const struct source *diag_source(
	struct diag *diag, const char *name, const char *text, size_t length);

/* Keeps the text of the file `name` out of all messages, because messages end up in public logs,
 * and a file that another file names could be any file of this machine. Call it before the file is
 * read. Messages about the file are replaced by one message at `where`, the place that names the
 * file. */
void diag_hide(struct diag *diag, const char *name, struct location where);

/* Name of a source, as given. */
const char *source_name(const struct source *source);

/* The location of `line`:`column` in `source`. */
struct location location_at(const struct source *source, uint32_t line, uint32_t column);

/* Keeps the source of `where`, if it has one, as long as `arena` lives. Call it for objects that
 * hold locations, may outlive the diag, and were not made by a tree or schema. */
void location_keep(struct arena *arena, struct location where);

/* Returns the location of byte `column` of `text`, which is line `line` (counted from 1) of a YAML
 * block value. The lines of this value are below `block`. Returns `block` itself if that line of
 * the source does not contain `text`. */
struct location location_in_block(
	struct location block, uint32_t line, const char *text, size_t length, uint32_t column);

/* Writes a short text for messages that says where something was set: "quad.yaml:31", "quad.yaml"
 * if there is no line, or "default" if there is no source. Writes at most `size` bytes to `out`,
 * and returns `out`. */
const char *location_cite(struct location where, char *out, size_t size);

enum { LOCATION_CITE_BYTES = 256 }; /* a good size for location_cite() */

/* Adds an error. The message is one line without a full stop. Repetitions of a message at the same
 * location are dropped, even if the same text was read again under the same name. */
void diag_error(struct diag *diag, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a warning. It is printed, but the input still counts as good. */
void diag_warning(struct diag *diag, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns the number of errors (without warnings) so far. Callers can compare the numbers before
 * and after a step to see if the step reported an error. */
size_t diag_errors(const struct diag *diag);

/* Prints every message, sorted by source (in order of registration), line and column. A message
 * without a source is printed as "error: message"; a message with a source but no line as "FILE:
 * error: message". */
void diag_print(const struct diag *diag, FILE *out);

#endif
