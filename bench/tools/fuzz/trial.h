/* Trials: runs scenarios, given as text, in a child process each, and reports how they ended. */
#ifndef BENCH_TOOLS_FUZZ_TRIAL_H
#define BENCH_TOOLS_FUZZ_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "bench/tools/fuzz/fuzz.h"

enum trial_kind {
	TRIAL_RAN,
	TRIAL_REFUSED, /* with a located error, or it waits for an event that is never recorded */
	TRIAL_HAZARD,  /* failed as one of its choices must */
	TRIAL_FAILED,
};

struct trial_end {
	enum trial_kind kind;
	int code;	  /* exit code; 128 + signal; 124: timeout */
	struct text what; /* its output: the error, or why it was rejected */
};

struct trial_options {
	const char *folder;    /* for the files of trials, which are not removed */
	const char *directory; /* of platforms */
	enum fuzz_world world;
	bool once; /* simulated: do not run it again to compare the bytes */
	uint32_t jobs;
};

/* Writes the text of trial `number`. Called in a child process, so it need not free anything. */
typedef void trial_text(void *context, uint32_t number, struct text *out);

/* Called when trial `number` has ended, in any order. `end` is valid only during the call. Return
 * false to stop. */
typedef bool trial_ended(void *context, uint32_t number, const struct trial_end *end);

/* Runs trials 0 to `count` - 1, several at a time. False if a child could not be started. */
bool trials_run(const struct trial_options *options, uint32_t count, trial_text *text,
	trial_ended *ended, void *context);

/* Writes to `out` what failures with the same cause have in common: exit code and first words. */
void trial_signature(const struct trial_end *end, char *out, size_t size);

enum { TRIAL_SIGNATURE_BYTES = 80 };

/* Compares what a run leaves in both worlds, except times, polls and hand-overs between threads,
 * which depend on the machine. */

/* A part file that a run has left (results_write_part()), and the identity of that run. */
struct world_part {
	const char *path;
	uint64_t identity;
};

/* True if the run has verified equally many values and done the same work in both worlds. Otherwise
 * prints to `out` the first difference, or which part cannot be read. */
bool worlds_agree(const struct world_part *sim, const struct world_part *native, FILE *out);

#endif
