/* One simulation per process: runs a test case that simulates in a forked child and brings its
 * result back. The child sees the parent's memory as it was, and cannot change it but for `result`.
 */
#ifndef SUPPORT_SIM_CASE_H
#define SUPPORT_SIM_CASE_H

#include <stddef.h>

#include "engine/engine.h"

struct sim_case {
	int exit_code; /* 0: body returned; 70: an ensure() failed; 128 + n: ended by signal n */
	char output[4096]; /* what the child wrote on standard error, cut off there */
};

/* Forks, runs body(argument, result) in the child, waits for it (60 s at most, then SIGALRM). What
 * body writes to the `size` bytes at `result` is copied to the caller's. The child ends with
 * _Exit(0) after body, without the parent's exit handlers. */
struct sim_case sim_case_run(void (*body)(const void *argument, void *result), const void *argument,
	void *result, size_t size);

/* The same without a result: fails the test unless the child ends with `exit_code`, and with
 * `message` in its output; NULL: any output. */
void sim_case_expect(void (*body)(const void *argument, void *result), const void *argument,
	int exit_code, const char *message);

/* The same with a body that opens the platform below and has start(NULL) run as main actor of
 * "host-0", which has to end with `end`. */
void sim_case_expect_main(
	void (*start)(void *unused), enum engine_end end, int exit_code, const char *message);

/* In the child: engine_open() on a trivial platform: hosts "host-0" to "host-4", each pair
 * connected by one link of 12.5 GB/s and 100 ns of latency. */
void sim_case_open(void);

#endif
