/* Temporary folders below $TMPDIR or /tmp. A killed process cannot remove its folder, but the lock
 * on the folder is released. The next process that opens a scratch folder removes all folders that
 * are not locked. */
#ifndef BENCH_RUN_SCRATCH_H
#define BENCH_RUN_SCRATCH_H

struct scratch; /* opaque */

enum { SCRATCH_PATH_BYTES = 384 }; /* size of a path with its NUL */

/* Creates an empty folder "meshsim-PURPOSE-XXXXXX". It stays locked while this process or a child
 * that it forks lives. Also removes the folders of dead processes. On errors, prints a message on
 * standard error and returns NULL. */
struct scratch *scratch_open(const char *purpose);

/* Creates a scratch folder for a socket named `socket`. The path of the socket must fit into
 * SCRATCH_SOCKET_BYTES bytes with its NUL; if $TMPDIR is too long, the folder is in /tmp. */
enum { SCRATCH_SOCKET_BYTES = 104 };
struct scratch *scratch_open_for_socket(const char *purpose, const char *socket);

/* The path of the folder, without a slash at the end. */
const char *scratch_path(const struct scratch *scratch);

/* Removes the folder with its contents. NULL is allowed. */
void scratch_close(struct scratch *scratch);

#endif
