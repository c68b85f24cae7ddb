/* The libraries of bench-transport without anything of ours: round trips between two processes, as
 * their own tests of latency do. Refuses to be clever. */
#ifndef BENCH_SELF_BARE_H
#define BENCH_SELF_BARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BARE_ADDRESS_BYTES = 128 };

/* One library. Whatever goes wrong ends the program. */
struct bare_library {
	const char *row; /* with which the rows begin that are built on it */
	bool once;	 /* a process can use it once: who asks is a process of its own, too */

	/* Listens; where, as connect() takes it. */
	void *(*listen)(char address[BARE_ADDRESS_BYTES]);
	void *(*connect)(const char *address);

	/* Says so many bytes, or takes them. */
	void (*say)(void *self, const uint8_t *payload, uint32_t bytes);
	void (*hear)(void *self, uint8_t *payload, uint32_t bytes);
};

/* With a function in each, or all NULL if the program was built without. */
extern const struct bare_library bare_tcp, bare_unix, bare_zeromq, bare_nng, bare_ucx_tcp,
	bare_ucx_shm, bare_grpc, bare_mpi;

struct bare;

/* Starts the other process for a row, before this one has used the library. NULL: there is no
 * library for it in this build. */
struct bare *bare_start(const char *row);

/* Times of `count` round trips of so many bytes, behind a tenth more that do not count. */
void bare_rounds(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns);

/* Ends the other process. NULL is allowed. */
void bare_end(struct bare *bare);

#endif
