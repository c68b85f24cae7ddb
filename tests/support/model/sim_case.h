/* Runs a test case in a forked child process. Each simulation needs its own process, because a
 * process can run only one simulation. The child has a copy of the parent's memory. Only `result`
 * is passed back. */
#ifndef SUPPORT_SIM_CASE_H
#define SUPPORT_SIM_CASE_H

#include <stddef.h>

#include "engine/engine.h"

struct sim_case {
	int exit_code;	   /* 0: body() returned; 70: an ensure() failed; 128 + n: signal n */
	char output[4096]; /* standard error of the child, truncated */
};

/* Forks a child, runs body(argument, result) in the child, and waits for its end. After 60 s, the
 * child gets SIGALRM. The `size` bytes that body() writes to `result` are copied to the caller's
 * `result`. After body(), the child ends with _Exit(0), so it does not run the parent's exit
 * handlers. */
struct sim_case sim_case_run(void (*body)(const void *argument, void *result), const void *argument,
	void *result, size_t size);

/* Runs a body without a result, like sim_case_run(). Fails the test unless the child ends with
 * `exit_code` and its output contains `message` (NULL: any output). */
void sim_case_expect(void (*body)(const void *argument, void *result), const void *argument,
	int exit_code, const char *message);

/* Works like sim_case_expect(), with a simulation in the child. The child opens the platform of
 * sim_case_open(), and runs start(NULL) as the main actor on "host-0". The simulation must end with
 * `end`. */
void sim_case_expect_main(
	void (*start)(void *unused), enum engine_end end, int exit_code, const char *message);

/* Opens the engine; must be called in the child. The platform has the hosts "host-0" to "host-4".
 * Each pair of hosts is connected by one link of 12.5 GB/s with a latency of 100 ns. */
void sim_case_open(void);

#endif
