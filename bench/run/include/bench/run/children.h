/* Children of the runner: forked, several at a time, their standard error collected. Knows nothing
 * of scenarios. Refuses to wait for anything but its own children. */
#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* How a child ended. */
struct child_end {
	uint32_t number;
	int code;   /* exit code; 128 + signal if it was killed, but a library may exit so, too */
	int signal; /* that killed it; 0: it exited */
	bool timed_out; /* killed at its deadline */
	bool no_cpu;	/* killed at its limit of CPU time */
	bool no_memory; /* killed, and meanwhile the kernel killed a process for lack of memory */
	double wall_s, cpu_s;
	uint64_t peak_bytes;
	struct text output; /* what it wrote; valid during the call */
};

struct children_ops {
	/* In the child: does the work, never returns. */
	void (*work)(void *context, uint32_t number);
	/* In the parent: a child has ended. False: end the others, start no more. */
	bool (*ended)(void *context, const struct child_end *end);
	/* In the parent: seconds that child `number` may take, 0 for any; NULL: 0 for all. */
	uint32_t (*limit_s)(void *context, uint32_t number);
	/* In the parent: a child said a line by children_say_now(); NULL: it stays in its output.
	 */
	void (*said)(void *context, uint32_t number, const char *line);
};

/* In a child: a line that cannot wait until the child has ended, without its newline. */
void children_say_now(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether a signal comes from outside: true for all but those of errors in the program itself.
 * Nothing of ours sends one, but a child that is late (timed_out) gets a SIGKILL. */
bool children_killed_by(int signal);

/* True if a child was killed from outside, and then why, as "killed, out of memory", in `why`. */
bool children_say_killed(const struct child_end *end, char *why, size_t size);

/* Runs children for the `count` numbers of `numbers`, at most `jobs` at a time. False if one could
 * not be started (errno), or `ended` said so. */
bool children_run(const struct children_ops *ops, void *context, const uint32_t *numbers,
	uint32_t count, uint32_t jobs);

#endif
