/* Forks the child processes of the runner, several at a time, and collects their output. */
#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* How a child ended. */
struct child_end {
	uint32_t number;
	int code;	/* exit code; 128 + the signal if a signal killed the child; libraries may
			 * exit with such codes, too */
	int signal;	/* the signal that killed the child; 0: it exited */
	bool timed_out; /* killed at its deadline */
	bool no_cpu;	/* killed because it reached its limit of CPU time */
	bool no_memory; /* killed, probably because memory ran out */
	double wall_s, cpu_s;
	uint64_t peak_bytes;
	struct text output; /* what the child printed; valid only during the call */
};

struct children_ops {
	/* In the child: does the work. Never returns. */
	void (*work)(void *context, uint32_t number);
	/* In the parent: called when a child has ended. If the function returns false, the other
	 * children are killed, and no more children are started. */
	bool (*ended)(void *context, const struct child_end *end);
	/* In the parent: returns the time limit of child `number` in seconds; 0 means no limit.
	 * NULL: no child has a limit. */
	uint32_t (*limit_s)(void *context, uint32_t number);
	/* In the parent: called with each line that a child prints by children_say_now(). NULL:
	 * these lines stay in the output of the child. */
	void (*said)(void *context, uint32_t number, const char *line);
};

/* In a child: prints a line that the parent shows at once, before the child ends. The format must
 * not end with a newline. */
void children_say_now(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns false if `signal` is one that an error in the program raises. Otherwise returns true:
 * another process has probably killed the process that ended by this signal. meshsim itself sends
 * only SIGKILL, to a child that exceeds its time limit (timed_out). */
bool children_killed_by(int signal);

/* Returns true if another process or the kernel killed the child, and writes a text such as
 * "killed, out of memory" to `why`. */
bool children_say_killed(const struct child_end *end, char *why, size_t size);

/* Appends the first error in the output of a child to `reason`, or the first line of the output if
 * it has no error. Leaves out the line and column at which the error is cited, because the child
 * may have read a temporary file that the user does not know. */
void children_say_error(const struct child_end *end, struct text *reason);

/* Runs a child for each number in the array `numbers` of length `count`, at most `jobs` children at
 * a time. Returns false if a child could not be started (errno is set), or if ended() returned
 * false. */
bool children_run(const struct children_ops *ops, void *context, const uint32_t *numbers,
	uint32_t count, uint32_t jobs);

#endif
