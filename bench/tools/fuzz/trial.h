/* Runs trials, and shrinks failing scenarios. A trial runs a scenario, which is given as text, in a
 * child process, and reports how it ended. */
#ifndef BENCH_TOOLS_FUZZ_TRIAL_H
#define BENCH_TOOLS_FUZZ_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/tree.h"
#include "bench/tools/fuzz/fuzz.h"

enum trial_kind {
	TRIAL_RAN,
	TRIAL_REFUSED, /* rejected with an error, or waits for an event that is never recorded */
	TRIAL_HAZARD,  /* failed because of a choice that is a hazard by design */
	TRIAL_FAILED,
};

struct trial_end {
	enum trial_kind kind;
	int code;	  /* exit code; after a signal 128 + signal; after a timeout 124 */
	struct text what; /* output of the child: the error, or why the scenario was rejected */
};

struct trial_options {
	const char *folder;    /* folder of the trials' files; it is not removed */
	const char *directory; /* folder of the platforms */
	enum fuzz_world world;
	bool once; /* do not simulate a run twice to compare the bytes */
	uint32_t jobs;
};

/* A function that writes the text of trial `number` to `out`. It is called in a child process, so
 * it need not free its memory. */
typedef void trial_text(void *context, uint32_t number, struct text *out);

/* A function that is called when trial `number` has ended. Trials may end in any order. `end` is
 * valid only during the call. The function returns false to stop all trials. */
typedef bool trial_ended(void *context, uint32_t number, const struct trial_end *end);

/* Runs trials 0 to `count` - 1, several at a time. Returns false if a child could not be
 * started. */
bool trials_run(const struct trial_options *options, uint32_t count, trial_text *text,
	trial_ended *ended, void *context);

/* Writes the signature of a failure to `out`. The signature consists of the exit code and the first
 * words of the output, so failures with the same cause have the same signature. */
void trial_signature(const struct trial_end *end, char *out, size_t size);

enum { TRIAL_SIGNATURE_BYTES = 80 };

/* ---- worlds.c ---- */

/* The part file of a run (results_write_part()), and the identity of this run. */
struct world_part {
	const char *path;
	uint64_t identity;
};

/* Compares the work and the verified values of a simulated and a native run. Returns true if all
 * amounts of work and the numbers of verified values are equal. Times, polls, and the number of
 * times that one thread hands over work to another are not compared, because they depend on the
 * machine. Otherwise, prints the first difference to `out`. If a part cannot be read, prints its
 * name and returns false. */
bool worlds_agree(const struct world_part *sim, const struct world_part *native, FILE *out);

/* ---- shrinking/ ---- */

/* Edits that make a scenario smaller. An edit removes a key or a step, lowers a number, or takes a
 * smaller machine. Edits are numbered in the order of the file. An edit may make the scenario
 * invalid. Its trial then ends with an error, and the edit is not kept. */

/* Returns the number of possible edits. */
uint32_t edit_count(const struct tree_node *root, const char *const *machines);

/* Returns the scenario after edit `number`. It is allocated in `arena`. */
const struct tree_node *edit_apply(const struct tree_node *root, const char *const *machines,
	uint32_t number, struct arena *arena);

/* Returns the scenario without `count` steps of its workload, beginning with step `from`. Keeps at
 * least one step. */
const struct tree_node *edit_cut(
	const struct tree_node *root, uint32_t from, uint32_t count, struct arena *arena);

/* Shrinks the scenario `text`, for which a trial with `options` has ended with `end`. Replaces
 * `text` by a scenario that fails with the same signature, but has fewer steps and keys, and
 * smaller numbers. `machines` lists platforms to try, the smallest first, and ends with NULL.
 * Returns the number of trials. */
uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text);

#endif
