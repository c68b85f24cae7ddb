/* Runs every run of a scenario, each in a forked child, several at a time, and merges their parts
 * into one result file. A child starts before SimGrid is initialized and ends with _Exit. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "base/ensure.h"
#include "bench/scenario/load.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_REFUSED = 1,   /* what was asked for does not fit, or a gate found it worse */
	EXIT_BAD_INPUT = 2, /* bad usage or input */
	EXIT_NO_BASELINE = 3,
	EXIT_STALLED = 4, /* the system stalled, hit a limit, or showed a hazard by design */
	EXIT_BUG = 70,
	EXIT_NO_MEMORY = ENSURE_MEMORY_EXIT, /* its limit of memory is reached, or the machine's */
	EXIT_UNWRITTEN = 74,		     /* of a child alone: its files cannot be written */
	EXIT_LOST = 75 /* of a child alone: a process of its own was killed from outside */
};

struct run_request {
	struct scenario_file *file;
	const char *output; /* result file */
	uint32_t jobs;	    /* children at a time, > 0 */
	bool resume;
	bool native;	 /* world: native in place of sim */
	bool unrecorded; /* marks of operations are dropped: what recording costs */
	bool marks_only; /* nobody will ask why: causes are not recorded */
	const char *command_line;
};

/* Runs everything that is missing. Progress and errors go to standard error; nothing is left behind
 * but the result file, and, where that could not be finished, the parts that were, for `resume`. A
 * run that is refused costs no other run: its row says so. *written: the file is there and is what
 * was asked for; NULL is allowed. */
enum exit_code runner_run(const struct run_request *request, bool *written);

/* Seconds that the run may take by the machine's clock; 0: any. */
uint32_t run_wall_s(const struct run_request *request, uint32_t run);

/* What a child does: runs one run and writes its part. Never returns. */
_Noreturn void run_child(const struct run_request *request, uint32_t run, const char *part);

#endif
