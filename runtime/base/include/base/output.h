/* Output files of commands, at paths that the user gives.
 *
 * A typing error must not destroy a file. So an existing file is replaced only if it is a regular
 * file that is empty, or that already contains output of the same kind. Everything else is
 * rejected: symbolic links, devices, pipes, directories, and files of other kinds, such as a
 * command's own input. The output is written to a new file in the same folder, flushed, and renamed
 * to the final name. So the file at the final name is always complete.
 *
 * For kinds that make sense in a pipe, "-" means standard output. To write a file of the name "-",
 * use "./-". */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/ensure.h"

/* The exit codes of commands. */
enum exit_code {
	EXIT_GOOD = 0,
	EXIT_REFUSED = 1,   /* the request does not fit the machine, or a gate failed */
	EXIT_BAD_INPUT = 2, /* the usage or the input is wrong */
	EXIT_NO_BASELINE = 3,
	EXIT_STALLED = 4, /* the run stalled, exceeded a limit, or showed a hazard by design */
	EXIT_BUG = 70,
	EXIT_NO_MEMORY = ENSURE_MEMORY_EXIT, /* the run has reached its memory limit, or the machine
					      * has no memory left */
	EXIT_UNWRITTEN = 74,		     /* exit code of a child only: its files cannot be
					      * written */
	EXIT_LOST = 75 /* exit code of a child only: one of its own processes was killed from
			* outside */
};

enum { OUTPUT_HEAD_BYTES = 1 << 16 };

/* A kind of output file. */
struct output_kind {
	const char *name; /* name of the kind, for messages */
	bool to_stdout;	  /* the path "-" means standard output */
	/* Returns true if a file is of this kind. `head` has `length` bytes: the first
	 * OUTPUT_HEAD_BYTES of the file, or the whole file if it is shorter. A NUL follows them. */
	bool (*is)(const char *head, size_t length);
};

/* Checks whether `path` may be written, and changes nothing. Returns true if it may; otherwise
 * false, with a sentence in `why`. Call this before long work, so that a bad path is found before
 * the work. */
bool output_check(const char *path, const struct output_kind *kind, struct text *why);

/* Returns true if `path` means standard output for this kind. */
bool output_is_stdout(const char *path, const struct output_kind *kind);

/* Checks the path again, then writes `text`. Returns true. On failure, returns false with a
 * sentence in `why`, and leaves the file at `path` unchanged. */
bool output_write(const char *path, const struct output_kind *kind, const struct text *text,
	struct text *why);

/* Like output_check() and output_write(), but these functions print `why` to standard error. */
bool output_check_or_say(const char *path, const struct output_kind *kind);
bool output_write_or_say(const char *path, const struct output_kind *kind, const struct text *text);

/* Returns true if a line of `head` starts with `key`. For kinds that are YAML. */
bool output_has_line(const char *head, const char *key);

#endif
