/* Executes each run of a scenario in a forked child, several at a time, and merges the parts of all
 * runs into one result file. The process that forks the children has loaded the SimGrid library,
 * but has not initialized it. Children end with _Exit(). */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "base/ensure.h"
#include "bench/scenario/load.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_REFUSED = 1,   /* the request does not fit the machine, or a gate failed */
	EXIT_BAD_INPUT = 2, /* the usage or the input is wrong */
	EXIT_NO_BASELINE = 3,
	EXIT_STALLED = 4, /* the run stalled, exceeded a limit, or showed a hazard by design */
	EXIT_BUG = 70,
	EXIT_NO_MEMORY = ENSURE_MEMORY_EXIT, /* the run has reached its memory limit, or the machine
					      * has no memory left */
	EXIT_UNWRITTEN = 74,		     /* exit code of a child only: its files cannot be
					      * written */
	EXIT_LOST = 75 /* exit code of a child only: one of its own processes was killed from
			* outside */
};

struct executors_request;

struct run_request {
	struct scenario_file *file;
	const char *output; /* path of the result file */
	uint32_t jobs;	    /* number of children at a time, at least 1 */
	bool resume;
	bool native;				   /* world: native; false: sim */
	const struct executors_request *executors; /* NULL: native runs fork their executors */
	bool unrecorded;  /* drop marks of operations, to measure the cost of recording */
	bool marks_only;  /* do not record causes */
	bool totals_only; /* record no paths of causes, only the totals of charges */
	const char *command_line;
};

/* Executes all missing runs, and merges the parts of all runs. Progress and errors go to standard
 * error. If the result file cannot be completed, the finished parts stay in the part folder, so
 * that --resume can continue. If a run is rejected, the other runs are still executed, and the
 * message of the rejected run in /summary contains the reason. Sets *written to true if the result
 * file is complete; `written` may be NULL. */
enum exit_code runner_run(const struct run_request *request, bool *written);

/* Wall-clock limit of the run in seconds; 0: none. */
uint32_t run_wall_s(const struct run_request *request, uint32_t run);

/* Main function of a child: executes one run and writes its part. Never returns. */
_Noreturn void run_child(const struct run_request *request, uint32_t run, const char *part);

/* Opens the scenario in file `path`, and executes its first run as run_child() does. If the file
 * has errors, prints them on standard error and ends with EXIT_BAD_INPUT. */
_Noreturn void run_child_of_file(const char *path, const struct load_options *load,
	struct run_request *request, const char *part);

struct device_handle;

/* Calls a function on a scenario's device, instead of running the scenario's steps. This is for
 * measuring the same calls in both worlds. No results are recorded.
 *
 * Creates the world of the plan, opens its mesh, and calls use(context, device) on the client's
 * thread. Then shuts everything down, including the executors of other hosts. Call it only once in
 * a process. The process must have only one thread, and must not have used a transport, because
 * executors are forked from it. Returns OK, or an error with a sentence in `why`. */
enum status run_inside(const struct run_plan *plan,
	void (*use)(void *context, struct device_handle *device), void *context, struct text *why);

#endif
