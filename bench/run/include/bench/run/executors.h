/* Executors of native runs that are started with `meshsim executor`, perhaps on other machines
 * (spec 4.2.3). The controller listens at an address, and each executor registers there. Both ends
 * check that they hold the same secret (the token), are the same version of meshsim, and have read
 * the same scenario. */
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

/* The error for scenarios that have measure.precision. */
#define EXECUTORS_NO_PRECISION                                                                     \
	"executors that are commands of their own serve the runs that a scenario has, but "        \
	"measure.precision adds runs: set measure.seeds in its place"

/* How a run gets its executors. */
struct executors_request {
	const char *listen; /* HOST:PORT at which executors register; port 0: any free port */
	const char *token;  /* file with the secret that executors and controller share */
	const char *start;  /* shell command that starts one executor; NULL: meshsim starts none */
	uint32_t wait_s;    /* time for all executors to register */
};

/* Reads the token, the secret of controller and executors, from a file that only its owner may
 * read. Makes a key from it, which the caller frees with proof_key_free(). Returns OK. Returns IO
 * with a sentence if the file cannot be read. Returns INVALID with a sentence if other users may
 * read the file, or if the length of the token is not allowed. Returns NO_MEMORY with a sentence if
 * there is no memory for the key. */
enum status executors_token(const char *path, uint8_t **key, struct text *why);

/* The next native run of this process, number `run`, will not fork executors, but wait for
 * executors that register. `facts` describes this run, and `scenario` is the hash of the scenario
 * file. The pointer `request` is stored, so *request must exist until the run ends. */
void executors_expect(const struct executors_request *request, const struct run_facts *facts,
	uint64_t scenario, uint32_t run);

/* Waits until the recorder has received all marks that executors have set so far, but for at most
 * two seconds. Does nothing if the executors were forked, because they set their marks in shared
 * memory. */
void executors_settle(void);

/* The arguments of `meshsim executor`. */
struct executor_request {
	struct scenario_file *file;
	const char *controller, *token; /* `controller`: HOST:PORT; `token`: file with the token */
	uint32_t host;			/* ENLIST_ANY_HOST: any host without an executor */
	uint32_t wait_s;		/* longest time for which each run waits for an answer of
					 * the controller, in s */
	uint32_t runs;			/* number of runs to execute; 0: as many as the file has */
};

/* Registers at the controller, and executes the part of one host, in as many runs as requested.
 * Prints its progress on standard error. If the controller rejects the executor, prints the
 * reason. */
enum exit_code executors_serve(const struct executor_request *request);

#endif
