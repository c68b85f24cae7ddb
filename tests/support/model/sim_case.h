/* Runs a test case that simulates in a forked child process, because a process can run only one
 * simulation. The child has a copy of the parent's memory. Only `result` is passed back. */
#ifndef SUPPORT_SIM_CASE_H
#define SUPPORT_SIM_CASE_H

#include <stddef.h>

#include "engine/engine.h"

struct sim_case {
	int exit_code;	   /* 0: body() returned; 70: an ensure() failed; 128 + n: signal n */
	char output[4096]; /* standard error of the child, truncated */
};

/* Forks, runs body(argument, result) in the child, and waits for the child. After 60 s, the child
 * gets SIGALRM. The `size` bytes that body() writes to `result` are copied to the caller. After
 * body(), the child ends with _Exit(0), so it does not run the parent's exit handlers. */
struct sim_case sim_case_run(void (*body)(const void *argument, void *result), const void *argument,
	void *result, size_t size);

/* Runs a body without a result, like sim_case_run(). Fails the test unless the child ends with
 * `exit_code` and its output contains `message` (NULL: any output). */
void sim_case_expect(void (*body)(const void *argument, void *result), const void *argument,
	int exit_code, const char *message);

/* Works like sim_case_expect(). The child opens the platform of sim_case_open(), and runs
 * start(NULL) as the main actor of "host-0". The simulation must end with `end`. */
void sim_case_expect_main(
	void (*start)(void *unused), enum engine_end end, int exit_code, const char *message);

/* Call it in the child. Calls engine_open() on a simple platform with hosts "host-0" to "host-4".
 * One link of 12.5 GB/s and 100 ns of latency connects each pair of hosts. */
void sim_case_open(void);

#endif
