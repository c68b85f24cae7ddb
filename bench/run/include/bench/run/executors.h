/* Executors of native runs that are commands of their own, perhaps on other machines (spec 4.2.3).
 * The controller listens at an address; `meshsim executor` registers there. It holds the same
 * token, is the same program, and has read the same scenario; both ends check that. */
#ifndef BENCH_EXECUTORS_H
#define BENCH_EXECUTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"

enum {
	EXECUTORS_WAIT_S = 60, /* default time for all executors to register */
	EXECUTORS_WAIT_S_MAX = 86400,
	TOKEN_BYTES_MIN = 16,
	TOKEN_BYTES_MAX = 4096,
};

/* How a run gets its executors. */
struct executors_request {
	const char *listen; /* HOST:PORT where they register; port 0: a free one */
	const char *token;  /* file with the secret that they share with the controller */
	const char *start;  /* command that starts one, for a shell; NULL: others start them */
	uint32_t wait_s;    /* for all to register */
};

/* Reads the token in a file, which only its owner may read, and makes a key of it, which the
 * caller frees with proof_key_free(). Returns OK, or an error with a sentence: IO if the file
 * cannot be read, INVALID if others may read it, or if its length is outside of the bounds. */
enum status executors_token(const char *path, uint8_t **key, struct text *why);

/* Makes the next native run of this process wait for its executors, in place of forking them.
 * `facts` are those of the run; `scenario` is the hash of its file. The request is borrowed. */
void executors_expect(const struct executors_request *request, const struct run_facts *facts,
	uint64_t scenario, uint32_t run);

/* Waits until everything that executors have marked so far is in the recorder, at most two seconds.
 * Does nothing if the executors were forked: they mark in shared memory. */
void executors_settle(void);

/* What `meshsim executor` does. */
struct executor_request {
	struct scenario_file *file;
	const char *controller, *token; /* HOST:PORT, and the file */
	uint32_t host;			/* ENLIST_ANY_HOST: any that is free */
	uint32_t wait_s;		/* for the controller to answer, in each run */
	uint32_t runs;			/* 0: all runs of the file */
};

/* Registers and executes the part of a host, in as many runs as are asked for. Says on standard
 * error what it does, and why it is refused. */
enum exit_code executors_serve(const struct executor_request *request);

#endif
