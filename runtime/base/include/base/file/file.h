/* Opens files safely where other people may have prepared the name: an input of a user, or a folder
 * that others can write to. See SECURITY.md for what is promised. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/text.h"

/* A bound for files that have none of their own. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* Opens the regular file `path` for reading; symbolic links are followed. Pipes, sockets, devices
 * and directories are refused at once, so that a pipe without a writer cannot hang the program.
 * Result: the descriptor, or -1 with a phrase in `why`, if there is one: "it is a pipe", or the
 * error's text. */
int file_open_input(const char *path, struct text *why);

/* Appends the regular file `path` to `out`. Stops after more than `most` bytes have been read, so
 * that the caller sees the excess by the length of `out`. False with a phrase in `why`, if there is
 * one. */
bool file_read(const char *path, size_t most, struct text *out, struct text *why);

/* As file_read() into an empty `out`; an error, or a file that is larger than `most`, is added to
 * `diag`, with the file as its place. */
bool file_read_or_say(const char *path, size_t most, struct text *out, struct diag *diag);

/* Opens the regular file `path` of our own for reading, as file_open_input(), but a symbolic link
 * is refused: for files in folders whose state others can foresee. -1 without a file or with an
 * error. */
int file_open_own(const char *path);

/* As file_read(), of a file opened as by file_open_own(). */
bool file_read_own(const char *path, size_t most, struct text *out);

/* Makes the new file `path` with the rights `mode`. A leftover file or link of that name is removed
 * first and never followed. Result: a descriptor for writing, or -1 with errno. */
int file_create(const char *path, mode_t mode);

/* Writes `text` as the new file `path`, made as by file_create(). False with errno. */
bool file_write(const char *path, mode_t mode, const struct text *text);

/* Opens the regular file `path` of our own for reading and writing, to lock it; makes it with the
 * rights `mode` if it is not there. Links are refused, hard ones too, since the file is written
 * anew. -1 with errno, and a phrase in `why` as of file_open_input(). */
int file_open_lock(const char *path, mode_t mode, struct text *why);

/* Opens the folder `path`, which this user owns and which is no link, and takes all rights in it
 * from others. -1 with errno, and a phrase in `why`: "it belongs to another user". */
int file_open_own_folder(const char *path, struct text *why);

/* True if both exist and `path`, with all links followed, lies below `folder`. Never of
 * the root folder, which says nothing about a file. */
bool file_is_below(const char *path, const char *folder);

/* The kind of a file that is not regular, as in "it is a pipe". */
const char *file_kind(mode_t mode);

#endif
