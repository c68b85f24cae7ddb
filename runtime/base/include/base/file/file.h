/* Opens files safely where other people may have prepared the name: a user's input, or a folder
 * that others can write to. SECURITY.md states the guarantees. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/text.h"

/* Size limit for files that have no limit of their own. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* Opens the regular file `path` for reading; symbolic links are followed. Pipes, sockets, devices
 * and directories are rejected at once, so that a pipe without a writer cannot hang the program.
 * Returns the descriptor, or -1 with a phrase in `why` (may be NULL): "it is a pipe", or the
 * error's text. */
int file_open_input(const char *path, struct text *why);

/* Appends the contents of the regular file `path` to `out`. Stops after reading more than `most`
 * bytes, so the caller can tell from the length of `out` that the file is too large. On an error,
 * returns false with a phrase in `why` (may be NULL). */
bool file_read(const char *path, size_t most, struct text *out, struct text *why);

/* Reads a file into an empty `out`, like file_read(). Reports an error, or a file larger than
 * `most`, to `diag`, located at the file as a whole. */
bool file_read_or_say(const char *path, size_t most, struct text *out, struct diag *diag);

/* Opens the regular file `path`, which is our own, for reading. Unlike file_open_input() it rejects
 * symbolic links, so it is safe in folders that others can write to. Returns -1 if there is no such
 * file, or on an error. */
int file_open_own(const char *path);

/* As file_read(), for a file opened by file_open_own(). */
bool file_read_own(const char *path, size_t most, struct text *out);

/* Creates the new file `path` with the rights `mode`. An existing file or link of that name is
 * removed first and never followed. Returns a descriptor for writing, or -1 with errno. */
int file_create(const char *path, mode_t mode);

/* Writes `text` to the new file `path`, created by file_create(). False with errno. */
bool file_write(const char *path, mode_t mode, const struct text *text);

/* Opens our own regular file `path` for reading and writing, to lock it. Creates it with the rights
 * `mode` if it does not exist. Rejects symbolic and hard links, because the file is rewritten. On
 * an error, returns -1 with errno, and with a phrase in `why` as in file_open_input(). */
int file_open_lock(const char *path, mode_t mode, struct text *why);

/* Opens the folder `path`, which must belong to this user and not be a link, and removes all rights
 * of other users in it. On an error, returns -1 with errno and with a phrase in `why`, such as "it
 * belongs to another user". */
int file_open_own_folder(const char *path, struct text *why);

/* Returns true if `path` and `folder` exist and `path`, with all links followed, is below `folder`.
 * Always returns false for the root folder. */
bool file_is_below(const char *path, const char *folder);

/* The kind of a file that is not regular, as in "it is a pipe". */
const char *file_kind(mode_t mode);

#endif
