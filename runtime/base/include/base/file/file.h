/* Opens files safely even if another user has put a link, a pipe or another trap at the path. Use
 * these functions for paths that a user gives, and in folders to which others can write.
 * SECURITY.md states the guarantees. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/text.h"

/* The size limit for files that have no limit of their own. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* Opens the regular file `path` for reading; symbolic links are followed. Returns the descriptor,
 * or -1 with a phrase in `why` (may be NULL), such as "it is a pipe" or the text of errno. Pipes,
 * sockets, devices and directories are rejected at once, so a pipe without a writer cannot hang the
 * program. */
int file_open_input(const char *path, struct text *why);

/* Appends the contents of the regular file `path` to `out`. Returns false on an error, with a
 * phrase in `why` (may be NULL). If the file has more than `most` bytes, stops early and returns
 * true; `out` has then grown by more than `most` bytes. */
bool file_read(const char *path, size_t most, struct text *out, struct text *why);

/* Like file_read(), reads a file into `out`, which must be empty. Returns true if the whole file
 * was read. On an error, or if the file is larger than `most`, reports an error to `diag` and
 * returns false. */
bool file_read_or_say(const char *path, size_t most, struct text *out, struct diag *diag);

/* Opens for reading a regular file that this program has written. Returns the descriptor. Returns
 * -1 on an error, or if there is no such file. Unlike file_open_input(), rejects a `path` that is a
 * symbolic link: another user who can write to the folder could have put the link there. */
int file_open_own(const char *path);

/* Like file_read(), for a file that this program has written (file_open_own()). */
bool file_read_own(const char *path, size_t most, struct text *out);

/* Creates the new file `path` with the permissions `mode`. If there is already a file or link of
 * this name, removes it first; never follows a link. Returns a descriptor for writing, or -1 with
 * errno. */
int file_create(const char *path, mode_t mode);

/* Creates the file `path` as file_create() does, and writes `text` to it. Returns true, or false
 * with errno. */
bool file_write(const char *path, mode_t mode, const struct text *text);

/* Opens the regular file `path` for reading and writing, so that the caller can lock it. If the
 * file does not exist, creates it with the permissions `mode`. Symbolic and hard links are
 * rejected, because the file is rewritten. Returns the descriptor, or -1 with errno and a phrase in
 * `why` as in file_open_input(). */
int file_open_lock(const char *path, mode_t mode, struct text *why);

/* Opens the folder `path`, which must belong to this user and must not be a link. Removes all
 * permissions of other users from the folder. Returns the descriptor, or -1 with errno and a phrase
 * in `why`, such as "it belongs to another user". */
int file_open_own_folder(const char *path, struct text *why);

/* Returns true if `path` and `folder` exist, and `path` is below `folder` after all links have been
 * followed. Always returns false for the root folder. */
bool file_is_below(const char *path, const char *folder);

/* Returns the kind of a file that is not regular, as in "it is a pipe". */
const char *file_kind(mode_t mode);

#endif
