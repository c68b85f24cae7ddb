/* One simulation per process: runs a test case that simulates in a forked child and returns its
 * result. The child sees a copy of the parent's memory; only `result` is passed back. */
#ifndef SUPPORT_SIM_CASE_H
#define SUPPORT_SIM_CASE_H

#include <stddef.h>

#include "engine/engine.h"

struct sim_case {
	int exit_code; /* 0: body returned; 70: an ensure() failed; 128 + n: ended by signal n */
	char output[4096]; /* what the child wrote to standard error, truncated */
};

/* Forks, runs body(argument, result) in the child, and waits for it (at most 60 s, then SIGALRM).
 * Whatever body writes to the `size` bytes at `result` is copied to the caller. After body, the
 * child ends with _Exit(0), without the parent's exit handlers. */
struct sim_case sim_case_run(void (*body)(const void *argument, void *result), const void *argument,
	void *result, size_t size);

/* The same without a result. Fails the test unless the child ends with `exit_code`, and with
 * `message` in its output; NULL: any output. */
void sim_case_expect(void (*body)(const void *argument, void *result), const void *argument,
	int exit_code, const char *message);

/* The same with a body that opens the platform below and runs start(NULL) as the main actor of
 * "host-0", which must end with `end`. */
void sim_case_expect_main(
	void (*start)(void *unused), enum engine_end end, int exit_code, const char *message);

/* In the child: engine_open() on a simple platform with hosts "host-0" to "host-4"; each pair is
 * connected by one link of 12.5 GB/s and 100 ns of latency. */
void sim_case_open(void);

#endif
