/* Trials: scenarios as text, each in a child of its own, and how they ended. Refuses to know where
 * the text comes from. */
#ifndef BENCH_FUZZ_TRIAL_H
#define BENCH_FUZZ_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bench/fuzz/fuzz.h"

enum trial_kind {
	TRIAL_RAN,
	TRIAL_REFUSED, /* with a located error; or it waits for an event that nobody records */
	TRIAL_HAZARD,  /* went wrong as one of its choices has to */
	TRIAL_FAILED,
};

struct trial_end {
	enum trial_kind kind;
	int code;	  /* exit code; 128 + signal; 124: too long */
	struct text what; /* what it said: first what is wrong, or why it was refused */
};

struct trial_options {
	const char *folder;    /* for its files; a trial leaves them there */
	const char *directory; /* of platforms */
	enum fuzz_world world;
	bool once; /* simulated: do not run it again to compare the bytes */
	uint32_t jobs;
};

/* Gives the text of trial `number`, in a child of its own that may forget it. */
typedef void trial_text(void *context, uint32_t number, struct text *out);

/* Hears of trial `number`'s end, in any order; `end` lives during the call. False: no more. */
typedef bool trial_ended(void *context, uint32_t number, const struct trial_end *end);

/* Runs trials 0 to `count` - 1, several at a time. False if a child could not be started. */
bool trials_run(const struct trial_options *options, uint32_t count, trial_text *text,
	trial_ended *ended, void *context);

/* What two failures of one cause have in common, in `out`: exit code and first words. */
void trial_signature(const struct trial_end *end, char *out, size_t size);

enum { TRIAL_SIGNATURE_BYTES = 80 };

#endif
