/* Temporary folders below $TMPDIR or /tmp. A process that was killed cannot remove its folder, but
 * its lock on the folder is released. The next process that opens a scratch folder removes all
 * scratch folders that are not locked. */
#ifndef BENCH_RUN_SCRATCH_H
#define BENCH_RUN_SCRATCH_H

struct scratch; /* opaque */

enum { SCRATCH_PATH_BYTES = 384 }; /* size of a path with its NUL */

/* Creates an empty folder "meshsim-PURPOSE-XXXXXX". The folder stays locked until this process and
 * all children that it forks have ended. Also removes scratch folders whose processes have ended.
 * After an error, prints a message on standard error and returns NULL. */
struct scratch *scratch_open(const char *purpose);

/* Creates a scratch folder for a socket with the file name `socket`. The path of the socket, with
 * its NUL, must have at most SCRATCH_SOCKET_BYTES bytes. If $TMPDIR is too long for this, creates
 * the folder in /tmp. */
enum { SCRATCH_SOCKET_BYTES = 104 };
struct scratch *scratch_open_for_socket(const char *purpose, const char *socket);

/* The path of the folder, without a slash at the end. */
const char *scratch_path(const struct scratch *scratch);

/* Removes the folder with its contents. NULL is allowed. */
void scratch_close(struct scratch *scratch);

#endif
