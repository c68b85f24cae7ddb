/* Located diagnostics: collects the errors and warnings about the user's files, and prints all of
 * them at once, sorted by position:
 *
 *     quad.yaml:8:5: error: unknown key 'chps', did you mean 'chips'?
 *         chps: 4
 *         ^
 *
 * Each location points to a source, which is a file's name and text. A source lives as long as one
 * of these exists: the diag with which it was registered, a diag with a message that is located in
 * the source, or an arena that keeps the source (location_keep()). Trees, and objects bound from
 * trees, keep their sources, so they may outlive the diag.
 *
 * Do not report bugs of meshsim here, but with ensure() (ensure.h); failures of the system and of
 * requests are reported by a status (status.h). Not thread safe. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

struct diag;
struct source; /* a text with a name: a file, or an argument such as "--set runtime.forward.path" */

/* A location in a source. Lines and columns count from 1; columns count code points. If line is 0,
 * the location means the whole source. If source is NULL, there is no location; for example, a
 * default value has none. */
struct location {
	const struct source *source;
	uint32_t line, column;
};

enum {
	DIAG_KEPT_MAX = 1000,  /* number of messages kept; further ones are only counted */
	DIAG_PRINTED_MAX = 100 /* number of messages printed before "and N more" */
};

/* Returns an empty list of messages. */
struct diag *diag_new(void);

/* Frees the messages, and the sources that nothing else keeps. NULL is allowed. */
void diag_free(struct diag *diag);

/* Registers a source, and copies `name` and `text`. Pass NULL as `text` for a file that cannot be
 * read. The result is valid until diag_free(), or longer if location_keep() keeps it. */
const struct source *diag_source(
	struct diag *diag, const char *name, const char *text, size_t length);

/* Keeps the text of the file `name` out of all messages. Call this before the file is read, if
 * another file contains its name. Such a name could be the name of any file of this machine, and
 * messages may end up in public logs. All messages about the file are replaced by a single message
 * at `where`, the place at which the other file contains the name. */
void diag_hide(struct diag *diag, const char *name, struct location where);

/* Returns the name of a source, as it was given. */
const char *source_name(const struct source *source);

/* Returns the location of `line`:`column` in `source`. */
struct location location_at(const struct source *source, uint32_t line, uint32_t column);

/* If `where` has a source, keeps the source as long as `arena` lives. Call this for objects that
 * contain locations and may outlive the diag. Trees and schemas call it for their own objects. */
void location_keep(struct arena *arena, struct location where);

/* Converts a position inside a YAML block value to a location in the file. `block` is the location
 * of the value; its lines follow in the file. `text` is the text of line `line` of the value,
 * counted from 1. Returns the location of byte `column` of this line, or `block` if the file has
 * another text there. */
struct location location_in_block(
	struct location block, uint32_t line, const char *text, size_t length, uint32_t column);

/* Writes to `out` a short text for messages that names the place where something was set:
 * "quad.yaml:31"; "quad.yaml" if the line is not known; "default" if there is no source. Writes at
 * most `size` bytes, and returns `out`. */
const char *location_cite(struct location where, char *out, size_t size);

enum { LOCATION_CITE_BYTES = 256 }; /* enough bytes for the text of location_cite() */

/* Adds an error. The message is one line without a full stop. Each message appears only once at a
 * location: if it was already added there, the new message is dropped. This also holds if a file is
 * read twice. */
void diag_error(struct diag *diag, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a warning. It is printed, but the input still counts as valid. */
void diag_warning(struct diag *diag, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns the number of errors so far; warnings do not count. To find out if a step reports an
 * error, compare the numbers before and after the step. */
size_t diag_errors(const struct diag *diag);

/* Prints every message, sorted by source (in order of registration), line and column. A message
 * without a source is printed as "error: message". If there is a source but no line, the message is
 * printed as "FILE: error: message". */
void diag_print(const struct diag *diag, FILE *out);

#endif
