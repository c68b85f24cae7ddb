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
	int code;   /* exit code; 128 + signal if it was killed, though libraries may exit so too */
	int signal; /* that killed it; 0: it exited */
	bool timed_out; /* killed at its deadline */
	bool no_cpu;	/* killed at its limit of CPU time */
	bool no_memory; /* killed while the kernel's OOM killer killed some process */
	double wall_s, cpu_s;
	uint64_t peak_bytes;
	struct text output; /* its output; valid during the call */
};

struct children_ops {
	/* In the child: does the work, never returns. */
	void (*work)(void *context, uint32_t number);
	/* In the parent: a child has ended. Returning false ends the others and starts no more. */
	bool (*ended)(void *context, const struct child_end *end);
	/* In the parent: time limit of child `number` in seconds, 0: none; NULL: no limits. */
	uint32_t (*limit_s)(void *context, uint32_t number);
	/* In the parent: called with a line that a child sent by children_say_now(). If this member
	 * is NULL, such lines stay in the output of the child. */
	void (*said)(void *context, uint32_t number, const char *line);
};

/* In a child: prints a line, given without newline, that must be shown before the child ends. */
void children_say_now(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true if another process has sent a signal of this number, and not an error in the program
 * itself. meshsim sends only one signal: SIGKILL to a child that is late (timed_out). */
bool children_killed_by(int signal);

/* If a child was killed from outside, returns true and a text such as "killed, out of memory". */
bool children_say_killed(const struct child_end *end, char *why, size_t size);

/* Appends the first error in the output of a child. If the output has no error, appends its first
 * line. Leaves out the line and column of the error, because these mean nothing to the user if the
 * child has read a temporary file. */
void children_say_error(const struct child_end *end, struct text *reason);

/* Runs a child for each of the `count` numbers, at most `jobs` at a time. Returns false if a child
 * could not be started (errno is set), or if ended() returned false. */
bool children_run(const struct children_ops *ops, void *context, const uint32_t *numbers,
	uint32_t count, uint32_t jobs);

#endif
