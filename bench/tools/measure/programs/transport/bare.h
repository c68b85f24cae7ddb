/* The transport libraries of bench-transport, without meshsim's own code around them. Two processes
 * make simple round trips, like the latency tests of the libraries. */
#ifndef BENCH_TOOLS_MEASURE_BARE_H
#define BENCH_TOOLS_MEASURE_BARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BARE_ADDRESS_BYTES = 128 };

/* One library. Any error ends the program. */
struct bare_library {
	const char *row; /* prefix of the names of transports built on it */
	/* True if a process can use the library only once. Then the end that sends requests also
	 * runs in a separate process. */
	bool once;

	/* Listens, and returns the address for connect(). */
	void *(*listen)(char address[BARE_ADDRESS_BYTES]);
	void *(*connect)(const char *address);

	/* Send and receive `bytes` bytes. */
	void (*say)(void *self, const uint8_t *payload, uint32_t bytes);
	void (*hear)(void *self, uint8_t *payload, uint32_t bytes);
};

/* All functions are NULL if the program was built without the library. */
extern const struct bare_library bare_tcp, bare_unix, bare_zeromq, bare_nng, bare_ucx_tcp,
	bare_ucx_shm, bare_grpc, bare_mpi;

struct bare;

/* Starts the other process for the transport `row`. Call it before this process uses the library.
 * Returns NULL if this build has no library for the transport. */
struct bare *bare_start(const char *row);

/* Measures `count` round trips of `bytes` bytes, after a tenth as many for warm-up. */
void bare_rounds(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns);

/* Ends the other process. NULL is allowed. */
void bare_end(struct bare *bare);

#endif
