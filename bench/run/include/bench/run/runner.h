/* Executes each run of a scenario in a forked child, several at a time, and merges the parts of all
 * runs into one result file. The process that forks the children has loaded the SimGrid library,
 * but has not initialized it. Children end with _Exit(). */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "base/output.h"
#include "bench/scenario/load.h"
#include <stdbool.h>
#include <stdint.h>

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
	const struct path_wish *paths; /* paths of causes to compute; NULL: all */
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

/* Temporary folders below $TMPDIR or /tmp. A process that was killed cannot remove its folder,
 * but its lock on the folder is released. The next process that opens a scratch folder removes
 * all scratch folders that are not locked. */
struct scratch; /* opaque */

enum { SCRATCH_PATH_BYTES = 384 }; /* size of a path with its NUL */

/* Creates an empty folder "meshsim-PURPOSE-XXXXXX". The folder stays locked until this process and
 * all children that it forks have ended. Also removes scratch folders whose processes have ended.
 * After an error, prints a message on standard error and returns NULL. */
struct scratch *scratch_open(const char *purpose);

/* Creates a scratch folder for a socket with the file name `socket`. The path of the socket, with
 * its NUL, must have at most SCRATCH_SOCKET_BYTES bytes. If $TMPDIR is too long for this, creates
 * the folder in /tmp. */
enum { SCRATCH_SOCKET_BYTES = 104 };
struct scratch *scratch_open_for_socket(const char *purpose, const char *socket);

/* The path of the folder, without a slash at the end. */
const char *scratch_path(const struct scratch *scratch);

/* Removes the folder with its contents. NULL is allowed. */
void scratch_close(struct scratch *scratch);

/* A progress line on standard error. It is shown only if standard error is a terminal. */
struct progress {
	const char *name;
	uint32_t total, done, before; /* `before`: number of runs that were done before this command
				       * started */
	double started_s;
	bool shown, wanted, colour;
};

void progress_start(struct progress *progress, const char *name, uint32_t total, uint32_t done);

/* Counts one more as done and shows the line again. */
void progress_step(struct progress *progress);

/* Clears the line, so that other output can be printed. */
void progress_hide(struct progress *progress);

/* Wall-clock time in seconds, for host-side figures. */
double progress_clock_s(void);

#endif
