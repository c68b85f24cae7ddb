/* Temporary folders below $TMPDIR or /tmp. A killed process cannot remove its folder, but its lock
 * is released; the next process that opens a scratch folder removes unlocked ones. */
#ifndef BENCH_RUN_SCRATCH_H
#define BENCH_RUN_SCRATCH_H

struct scratch; /* opaque */

enum { SCRATCH_PATH_BYTES = 384 }; /* of its path, the NUL included */

/* Creates an empty folder "meshsim-PURPOSE-XXXXXX", locked while this process or a child that it
 * forks lives. Also removes folders left by dead processes. Returns NULL after a message on
 * standard error. */
struct scratch *scratch_open(const char *purpose);

/* The same for a socket named `socket`, whose whole path must fit into SCRATCH_SOCKET_BYTES with
 * the NUL. If $TMPDIR is too long for that, uses /tmp. */
enum { SCRATCH_SOCKET_BYTES = 104 };
struct scratch *scratch_open_for_socket(const char *purpose, const char *socket);

/* Its path, without a slash at the end. */
const char *scratch_path(const struct scratch *scratch);

/* Removes the folder with its contents. NULL is allowed. */
void scratch_close(struct scratch *scratch);

#endif
