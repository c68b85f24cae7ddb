/* The campaign of `meshsim fuzz`. Draws a random scenario from each seed, and runs it in a child
 * process. If the scenario fails, makes it smaller (unless `keep` is set), and writes it to a file
 * for `meshsim run`. */
#ifndef BENCH_TOOLS_FUZZ_H
#define BENCH_TOOLS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/run/runner.h"

enum fuzz_world {
	FUZZ_SIM,
	FUZZ_NATIVE,
	FUZZ_BOTH, /* run simulated, then natively; work and data must be the same */
};

struct fuzz_request {
	const char *scenario;  /* the user's scenario, whose platform, runtime and model are kept;
				* NULL: they are drawn, too */
	const char *directory; /* folder of the platforms */
	const char *folder;    /* folder for the files of failing seeds */
	uint64_t first;	       /* first seed */
	uint32_t seeds, jobs;  /* number of seeds; number of trials at a time; both > 0 */
	enum fuzz_world world;
	bool hosts; /* only machines of several hosts */
	bool print; /* print the scenarios instead of running them */
	bool keep;  /* do not shrink failing scenarios */
};

/* Runs the campaign. Prints each failure when it happens. At the end, prints how many seeds ended
 * in each way. A scenario fails in four cases:
 *
 *   - it crashes, does not end in time, or exits with an unexpected code, such as 70 for a bug,
 *   - it stalls, although it has no choice that may fail by design, and every event is recorded,
 *   - a second run in the simulated world writes different bytes,
 *   - with FUZZ_BOTH, the two worlds read back different values or do different work.
 *
 * Returns GOOD if there are no failures, REFUSED if there are failures, BAD_INPUT if the user's
 * scenario cannot be read, and UNWRITTEN if a file cannot be written. */
enum exit_code fuzz_run(const struct fuzz_request *request);

#endif
