/* The campaign: random scenarios, a seed each, in children of their own. A scenario that ends
 * otherwise than it may is shrunk to a small file that `meshsim run` takes. Refuses to say how fast
 * anything is. */
#ifndef BENCH_FUZZ_H
#define BENCH_FUZZ_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/run/runner.h"

enum fuzz_world {
	FUZZ_SIM,
	FUZZ_NATIVE,
	FUZZ_BOTH, /* simulated, then natively: both have to do the same */
};

struct fuzz_request {
	const char *scenario;  /* its platform, runtime and model stand; NULL: all is drawn */
	const char *directory; /* of platforms */
	const char *folder;    /* where the files of failing seeds go */
	uint64_t first;	       /* seed */
	uint32_t seeds, jobs;  /* > 0 */
	enum fuzz_world world;
	bool hosts;	       /* machines of several hosts, and no others */
	bool print;	       /* print the scenarios, run none */
	bool keep;	       /* files of failing seeds as they were drawn: nothing is shrunk */
};

/* Runs the campaign; prints how its seeds ended, and failures as they come. A scenario fails that
 * crashes, ends with a bug (70), stalls without a hazard of its choices, gives other bytes when it
 * runs again, or, in both worlds, reads back other values or does other work in one of them. GOOD:
 * none did; REFUSED: some did; BAD_INPUT: the scenario given cannot be read; UNWRITTEN: a file
 * cannot be. */
enum exit_code fuzz_run(const struct fuzz_request *request);

#endif
