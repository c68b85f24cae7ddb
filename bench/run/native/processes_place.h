/* Where the processes of a native run meet: an address that this machine alone gets to. A library
 * that takes in what any process sends gets a network of its own. Private to the room. */
#ifndef BENCH_RUN_NATIVE_PROCESSES_PLACE_H
#define BENCH_RUN_NATIVE_PROCESSES_PLACE_H

#include "bench/run/scratch.h"
#include "transport/rows.h"

enum { PLACE_ADDRESS_BYTES = SCRATCH_PATH_BYTES + 8 };

/* Before the first process and thread of the run: if the row is open to strangers, this process and
 * its children leave the network of the machine for one of their own, which has a loopback and
 * nothing else. UNSUPPORTED with a sentence: the kernel does not let them; MESHSIM_SHARED_NETWORK=1
 * in the environment says to stay. */
enum status processes_apart(const struct transport_row *row, struct text *why);

/* An address for the controller: loopback, or a socket in a new folder of this user, *scratch,
 * which no other user may enter. IO with a sentence. */
enum status processes_address(const struct transport_row *row, char address[PLACE_ADDRESS_BYTES],
	struct scratch **scratch, struct text *why);

/* In a process that was forked: what it prints goes to the pipe `output`, and nothing comes in. */
void processes_redirect(int output);

#endif
