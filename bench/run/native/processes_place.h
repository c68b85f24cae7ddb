/* The address at which processes of a native run meet, reachable only on this machine. A library
 * that accepts messages of any process gets its own network namespace. Private to the room. */
#ifndef BENCH_RUN_NATIVE_PROCESSES_PLACE_H
#define BENCH_RUN_NATIVE_PROCESSES_PLACE_H

#include "bench/run/scratch.h"
#include "transport/rows.h"

enum { PLACE_ADDRESS_BYTES = SCRATCH_PATH_BYTES + 8 };

/* If the transport accepts strangers, moves this process and its children into their own network
 * namespace, which has only a loopback. Call it before the first process and thread of the run.
 * MESHSIM_SHARED_NETWORK=1 in the environment disables it. Returns OK, or UNSUPPORTED with a
 * sentence if the kernel does not allow it. */
enum status processes_apart(const struct transport_row *row, struct text *why);

/* An address for the controller: loopback, or a socket in a new folder, *scratch, which only this
 * user may enter. Returns OK, or IO with a sentence. */
enum status processes_address(const struct transport_row *row, char address[PLACE_ADDRESS_BYTES],
	struct scratch **scratch, struct text *why);

/* In a forked process: redirects its output to the pipe `output`, and closes its input. */
void processes_redirect(int output);

#endif
