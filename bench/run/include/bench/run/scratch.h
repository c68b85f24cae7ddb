/* Folders for files that nobody keeps, below $TMPDIR or /tmp. A process that is killed cannot
 * remove its own: the next one that opens such a folder does, since the lock on it went with the
 * process. */
#ifndef BENCH_RUN_SCRATCH_H
#define BENCH_RUN_SCRATCH_H

struct scratch; /* opaque */

enum { SCRATCH_PATH_BYTES = 384 }; /* of its path, the NUL included */

/* A new, empty folder "meshsim-PURPOSE-XXXXXX", locked while this process or a child that it forks
 * lives. Removes those that processes now dead have left. NULL after a message on standard error.
 */
struct scratch *scratch_open(const char *purpose);

/* The same for sockets, whose paths have to be short: below /tmp if $TMPDIR is too long for one of
 * SCRATCH_SOCKET_BYTES in it, its name and the NUL included. */
enum { SCRATCH_SOCKET_BYTES = 104 };
struct scratch *scratch_open_for_socket(const char *purpose, const char *socket);

/* Its path, without a slash at the end. */
const char *scratch_path(const struct scratch *scratch);

/* Removes the folder and all that is in it. NULL is allowed. */
void scratch_close(struct scratch *scratch);

#endif
